package dev.holdfast.dynamodb.layouts;

class AwsFlockStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=awsflock", "lock_id");
    }

    /** The age is computed from whole seconds. */
    @Override
    public boolean hasClock() {
        return true;
    }
}
