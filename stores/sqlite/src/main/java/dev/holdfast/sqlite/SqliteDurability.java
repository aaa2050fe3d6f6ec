package dev.holdfast.sqlite;

/** Crashes that a commit survives; {@link SqliteStoreProvider} describes the consequences for leases. */
enum SqliteDurability {
    /** The log is synced before a commit is acknowledged. */
    FULL("FULL"),
    /** The log is synced later, so a power failure may undo the last commits. */
    RELAXED("NORMAL");

    private final String synchronous;

    SqliteDurability(String synchronous) {
        this.synchronous = synchronous;
    }

    /** The value of SQLite's pragma. */
    String synchronous() {
        return synchronous;
    }
}
