package dev.holdfast.dynamodb.layouts;

class KclStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=kcl&expire=1m", "leaseKey");
    }
}
