package dev.holdfast.dynamodb.layouts;

class LockClientStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=lockclient", "key");
    }
}
