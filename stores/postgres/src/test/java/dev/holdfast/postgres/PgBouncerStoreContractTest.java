package dev.holdfast.postgres;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The store contract if each transaction may run in another session of the server. */
@Tag("slow")
class PgBouncerStoreContractTest extends DurableLeaseStoreContract {
    @TempDir
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static PgBouncer bouncer;

    private final String schema = Server.freshSchema();

    @BeforeAll
    static void start() throws Exception {
        PgBouncer.assumeInstalled(PgBouncerStoreContractTest.class);
        bouncer = PgBouncer.start(folder, Server.shared(), "transaction");
    }

    @AfterAll
    static void stop() {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Override
    public LeaseStore openStore() {
        // Enough for rows that a slow machine keeps locked.
        return PostgresStore.open(bouncer.url(schema, "timeout=30s"));
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
