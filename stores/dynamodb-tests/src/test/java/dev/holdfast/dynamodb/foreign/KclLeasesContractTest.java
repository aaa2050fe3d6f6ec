package dev.holdfast.dynamodb.foreign;

class KclLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=kcl&expire=1m", "leaseKey");
    }
}
