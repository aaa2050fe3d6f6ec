package dev.holdfast.dynamodb.foreign;

class TableTheoryStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=tabletheory", "pk", "sk");
    }

    /** Whole seconds, of which the age is reckoned. */
    @Override
    protected boolean hasClock() {
        return true;
    }
}
