package dev.holdfast.dynamodb.layouts;

class TableTheoryStoreContractTest extends ForeignStoreContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=tabletheory", "pk", "sk");
    }

    /** The age is computed from whole seconds. */
    @Override
    public boolean hasClock() {
        return true;
    }
}
