package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the thread that a blocking store runs on: its caller's, if that waits for the answer, else a lane's. */
class StoreThreadTest {
    private static final Key KEY = Key.of("key");

    private final RecordingStore store = new RecordingStore();
    private final Leases leases = Holdfast.open(store, LeasesOptions.builder().build());

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void aBlockingCallRunsOnItsOwnThread() throws InterruptedException {
        Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        assertThat(store.next()).isSameAs(Thread.currentThread());
        lease.renew();
        assertThat(store.next()).isSameAs(Thread.currentThread());
        lease.update(AttributePatch.putting("a", 1));
        assertThat(store.next()).isSameAs(Thread.currentThread());
        lease.done();
        assertThat(store.next()).isSameAs(Thread.currentThread());
        leases.reopen(KEY);
        assertThat(store.next()).isSameAs(Thread.currentThread());
    }

    @Test
    void soDoesTheFirstAttemptOfABlockingCallThatMayWait() throws InterruptedException {
        leases.acquire(KEY, AcquireOptions.defaults(), Duration.ofMinutes(1));

        assertThat(store.next()).isSameAs(Thread.currentThread());
    }

    @Test
    void soDoesAHandOverByABlockingRelease() throws InterruptedException {
        Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        store.next();
        var waiting = leases.async().acquire(KEY, AcquireOptions.defaults(), Duration.ofMinutes(1));
        leases.get(KEY); // The reads are answered in their order, so the first attempt has been refused.

        lease.release();

        assertThat(store.next()).isSameAs(Thread.currentThread());
        assertThat(waiting.toCompletableFuture().join().isGranted()).isTrue();
    }

    @Test
    void anAsynchronousCallRunsOnALane() throws InterruptedException {
        leases.async().tryAcquire(KEY, AcquireOptions.defaults());

        assertThat(store.next().getName()).startsWith("holdfast-lane-");
    }

    /** A store with one lane that records the threads of its writes. */
    private static final class RecordingStore implements LeaseStore {
        private final MemoryStore inner = new MemoryStore(new CallerThreadEnvironment(), 1, true);
        private final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

        Thread next() throws InterruptedException {
            return threads.take();
        }

        @Override
        public List<WriteOutcome> apply(List<Change> changes) {
            threads.add(Thread.currentThread());
            return inner.apply(changes);
        }

        @Override
        public List<Optional<StoredEntry>> read(List<Key> keys) {
            return inner.read(keys);
        }

        @Override
        public ScanPage scan(EntryScan entryScan) {
            return inner.scan(entryScan);
        }

        @Override
        public StoreTraits traits() {
            return inner.traits();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
