package dev.holdfast.dynamodb.layouts;

class KclLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=kcl&expire=1m", "leaseKey");
    }
}
