package dev.holdfast.dynamodb.foreign;

class LockClientStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=lockclient", "key");
    }
}
