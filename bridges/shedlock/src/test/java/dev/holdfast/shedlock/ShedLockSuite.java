package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.locks.BridgeStore;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** ShedLock's own suites, on one store. */
abstract class ShedLockSuite extends AbstractExtensibleLockProviderIntegrationTest {
    private final BridgeStore store;
    private final Duration margin;
    private final HoldfastLockProvider provider;
    private final Leases observer;

    /** @param margin how long after its term a lease still excludes others in this store */
    ShedLockSuite(BridgeStore.Backend backend, Duration margin) {
        this.store = BridgeStore.of(backend);
        this.margin = margin;
        this.provider = new HoldfastLockProvider(store.client());
        this.observer = store.client();
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return provider;
    }

    private boolean isHeld(String lockName) {
        return observer.get(Key.of(HoldfastLockProvider.DEFAULT_NAMESPACE, lockName))
                .map(LeaseStatus::isHeld)
                .orElse(false);
    }

    @Override
    protected void assertUnlocked(String lockName) {
        long start = System.nanoTime();
        boolean isPatient = true;
        while (isPatient && isHeld(lockName)) {
            isPatient = System.nanoTime() - start <= margin.toNanos();
            sleepFor(Duration.ofMillis(1));
        }
        assertThat(isHeld(lockName)).as("%s is held", lockName).isFalse();
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(isHeld(lockName)).as("%s is held", lockName).isTrue();
    }

    @Test
    @Tag("slow")
    @Override
    public void fuzzTestShouldPass() throws ExecutionException, InterruptedException {
        super.fuzzTestShouldPass();
    }
}
