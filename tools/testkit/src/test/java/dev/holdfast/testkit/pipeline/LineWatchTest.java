package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the keys that a wait queue watches, and that it misses no change in between. */
class LineWatchTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofMinutes(10);

    private final ManualClock runtime = new ManualClock();
    private final WatchedStore store = new WatchedStore(new MemoryStore(runtime));
    private final Leases holder = open(store.inner, "ann", runtime);
    private final Leases waiter = open(store, "bob", runtime);

    private static Leases open(LeaseStore on, String name, HostEnvironment hostEnvironment) {
        return Holdfast.open(
                on,
                LeasesOptions.builder()
                        .holder(name)
                        .withoutCleanUp()
                        .environment(hostEnvironment)
                        .build());
    }

    @AfterEach
    void close() {
        store.beforeWatching = key -> {};
        waiter.close();
        holder.close();
        runtime.close();
    }

    /** A store that notifies, counts watched keys, and runs an action of the test right before a key is watched. */
    private static final class WatchedStore extends ForwardingStore implements ChangeNotifier {
        private final MemoryStore inner;
        private final AtomicInteger watched = new AtomicInteger();
        private Consumer<Key> beforeWatching = key -> {};

        WatchedStore(MemoryStore inner) {
            super(inner);
            this.inner = inner;
        }

        @Override
        public Registration onFreed(Key key, WakeUp wake) {
            beforeWatching.accept(key);
            Registration registration = inner.onFreed(key, wake);
            watched.incrementAndGet();
            return () -> {
                watched.decrementAndGet();
                registration.close();
            };
        }
    }

    private Lease holdThrough(Anchor anchor) {
        return holder.tryAcquire(KEY, AcquireOptions.defaults().under(anchor)).orThrow();
    }

    private CompletableFuture<AcquireResult> await(Duration wait) {
        return waiter.async().acquire(KEY, AcquireOptions.defaults(), wait).toCompletableFuture();
    }

    @Test
    void anAnchorThatEndsBeforeItIsWatchedWakesTheWaitQueue() {
        Anchor anchor = holder.anchor("worker", TERM);
        assertThat(holdThrough(anchor).isHeld()).isTrue();
        store.beforeWatching = key -> {
            if (key.isAnchor()) {
                anchor.releaseAsync();
            }
        };

        CompletableFuture<AcquireResult> waiting = await(Duration.ofMinutes(1));
        runtime.advance(Duration.ofMillis(20));

        assertThat(waiting).isCompleted();
        assertThat(waiting.join().isGranted()).isTrue();
    }

    @Test
    void aWaitQueueWatchesOnlyTheAnchorOfItsKey() {
        Lease held = holdThrough(holder.anchor("worker-0", TERM));
        CompletableFuture<AcquireResult> waiting = await(Duration.ofHours(1));
        for (int i = 1; i <= 10; i++) {
            AcquireOptions next = AcquireOptions.defaults().under(holder.anchor("worker-" + i, TERM));
            CompletableFuture<AcquireResult> handedTo =
                    holder.async().acquire(KEY, next, TERM).toCompletableFuture();
            held.release(); // Hands the key to the next anchor in one write: no other client sees it free.
            held = handedTo.join().orThrow();
            runtime.advance(Duration.ofSeconds(6)); // Longer than the poll interval of the wait queue.
        }

        assertThat(waiting).isNotDone();
        assertThat(store.watched).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void aStoreThatFailsToWatchIsPolled() {
        Lease held =
                holder.tryAcquire(KEY, AcquireOptions.defaults().term(TERM)).orThrow();
        store.beforeWatching = key -> {
            throw new AssertionError("injected by the test");
        };
        CompletableFuture<AcquireResult> waiting = await(Duration.ofMinutes(1));

        held.release();
        runtime.advance(Duration.ofSeconds(6)); // Longer than the poll interval of the wait queue.

        assertThat(waiting.join().isGranted()).isTrue();
    }

    @Test
    void aTimerThatFiresEarlyIsSetAgain() {
        Leases early = open(store.inner, "eve", new EarlyRuntime(runtime));
        assertThat(holder.tryAcquire(KEY, AcquireOptions.defaults().term(TERM)).isGranted())
                .isTrue();
        CompletableFuture<AcquireResult> waiting = early.async()
                .acquire(KEY, AcquireOptions.defaults(), Duration.ofMillis(200))
                .toCompletableFuture();

        runtime.advance(Duration.ofMillis(201)); // Before the wait queue polls again.

        assertThat(waiting).isCompleted();
        assertThat(waiting.join().isGranted()).isFalse();
        early.close();
    }

    /** An environment with timers that fire a millisecond early. */
    private static final class EarlyRuntime implements HostEnvironment {
        private final HostEnvironment delegate;

        EarlyRuntime(HostEnvironment delegate) {
            this.delegate = delegate;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            boolean isLong = delay.compareTo(Duration.ofMillis(2)) > 0;
            return delegate.schedule(isLong ? delay.minusMillis(1) : delay, task);
        }

        @Override
        public long nanos() {
            return delegate.nanos();
        }

        @Override
        public Instant now() {
            return delegate.now();
        }

        @Override
        public void execute(Runnable callback) {
            delegate.execute(callback);
        }

        @Override
        public UUID randomId() {
            return delegate.randomId();
        }

        @Override
        public double random() {
            return delegate.random();
        }

        @Override
        public void await(CompletableFuture<?> future) throws InterruptedException {
            delegate.await(future);
        }

        @Override
        public void close() {}
    }
}
