package dev.holdfast.postgres;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class PostgresStoreContractTest extends DurableLeaseStoreContract {
    private final String schema = Server.freshSchema();

    @Override
    public LeaseStore openStore() {
        // Enough for rows that a slow machine keeps locked.
        return PostgresStore.open(Server.shared().url(schema, "timeout=30s"));
    }

    @Override
    public LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    /** Lets time pass by moving all stored times into the past. */
    @Override
    public void elapse(Duration time) {
        try {
            Server.shared()
                    .execute("UPDATE " + schema + ".entry SET stamp = stamp - interval '" + time.toMillis() + " ms'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean keepsFenceFloor() {
        return true;
    }
}
