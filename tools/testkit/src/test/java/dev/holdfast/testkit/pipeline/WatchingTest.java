package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of expiry on a store that returns no ages. The client must watch a beat itself, so the entries that it watches
 * must stay in its cache.
 */
class WatchingTest {
    private static final Key DEAD = Key.of("jobs", "of-the-dead");
    private static final Duration TERM = Duration.ofSeconds(10);

    private final ManualClock runtime = new ManualClock();
    private final Leases leases = Holdfast.open(
            new Ageless(new MemoryStore(runtime)),
            LeasesOptions.builder().environment(runtime).cacheSize(64).build());

    /** A store that scans entries without their ages. */
    private static final class Ageless extends ForwardingStore {
        Ageless(MemoryStore inner) {
            super(inner);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            ScanPage scanPage = super.scan(entryScan);
            return new ScanPage(
                    scanPage.entries().stream()
                            .map(storedEntry -> new StoredEntry(storedEntry.entry(), null))
                            .toList(),
                    scanPage.cursor());
        }
    }

    @AfterEach
    void close() {
        leases.close();
        runtime.close();
    }

    private boolean isShownAsHeld() {
        return leases.list(LeaseFilter.namespacePrefix("jobs"))
                .filter(status -> status.key().equals(DEAD))
                .allMatch(status -> status.isHeld());
    }

    private void use(int keys) {
        for (int i = 0; i < keys; i++) {
            leases.tryAcquire(Key.of("jobs", "free-" + i), AcquireOptions.defaults())
                    .orThrow()
                    .release();
        }
    }

    private void acquireWithoutRenewal() {
        AcquireOptions unrenewed = AcquireOptions.defaults().term(TERM).autoRenew(false);
        leases.tryAcquire(DEAD, unrenewed).orThrow().detach();
        assertThat(isShownAsHeld()).isTrue();
    }

    @Test
    void aListingLargerThanTheCacheStillDetectsAnExpiredHolder() {
        use(1_000);
        acquireWithoutRenewal();

        runtime.advance(TERM.multipliedBy(2));

        assertThat(isShownAsHeld()).isFalse();
    }

    @Test
    void ownWritesDoNotEvictWatchedEntriesFromTheCache() {
        acquireWithoutRenewal();
        use(1_000);

        runtime.advance(TERM.multipliedBy(2));

        assertThat(isShownAsHeld()).isFalse();
    }
}
