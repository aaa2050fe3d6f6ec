package dev.holdfast.dynamodb.foreign;

class AwsFlockStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=awsflock", "lock_id");
    }

    /** Whole seconds, of which the age is reckoned. */
    @Override
    protected boolean hasClock() {
        return true;
    }
}
