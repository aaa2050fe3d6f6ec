package dev.holdfast.sqlite;

import dev.holdfast.sqlite.clock.ManualBootClock;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.stores.DurableLeaseStoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreContractTest extends DurableLeaseStoreContract {
    private final ManualBootClock clock = new ManualBootClock();

    @TempDir
    private Path folder;

    @Override
    public LeaseStore openStore() {
        return Stores.open(folder.resolve("leases.db"), clock);
    }

    @Override
    public LeaseStore reopen(LeaseStore closed) {
        return openStore();
    }

    @Override
    public void elapse(Duration time) {
        clock.advance(time);
    }

    @Override
    public boolean keepsFenceFloor() {
        return true;
    }
}
