package dev.holdfast.dynamodb.layouts;

class LockClientLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=lockclient", "key");
    }
}
