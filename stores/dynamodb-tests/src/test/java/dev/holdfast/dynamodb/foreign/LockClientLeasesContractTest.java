package dev.holdfast.dynamodb.foreign;

class LockClientLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=lockclient", "key");
    }
}
