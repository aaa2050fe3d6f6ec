package dev.holdfast.dynamodb.foreign;

class TableTheoryLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=tabletheory", "pk", "sk");
    }
}
