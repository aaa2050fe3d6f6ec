package dev.holdfast.dynamodb.layouts;

class TableTheoryLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=tabletheory", "pk", "sk");
    }
}
