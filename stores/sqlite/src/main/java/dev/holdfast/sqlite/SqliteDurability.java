package dev.holdfast.sqlite;

/** What a commit survives; {@link SqliteStoreProvider} says what that means for leases. */
enum SqliteDurability {
    /** The log is synced before a commit is acknowledged. */
    FULL("FULL"),
    /** The log is synced by and by: a power failure may take the last commits back. */
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
