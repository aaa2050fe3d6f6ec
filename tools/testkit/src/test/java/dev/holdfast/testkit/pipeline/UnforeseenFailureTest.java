package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.environment.BlockingStoreAdapter;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.SettlementRules;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Change;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoreTraits;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.WriteOutcome;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that an unexpected failure ends the request that it concerns and delays no other. */
class UnforeseenFailureTest {
    private static final Key BAD = Key.of("bad");
    private static final Key GOOD = Key.of("good");

    private final ManualClock runtime = new ManualClock();
    private final ThrowingPort port = new ThrowingPort(new MemoryStore(runtime));
    private final ThrowingListener listener = new ThrowingListener();
    private final Leases leases = LocalLeases.over(
            port,
            runtime,
            hostileRules(),
            LeasesOptions.builder()
                    .holder("ann")
                    .environment(runtime)
                    .operationTimeout(Duration.ofSeconds(5))
                    .settleTimeout(Duration.ofSeconds(5))
                    .listener(listener)
                    .build());

    @AfterEach
    void close() {
        port.failing.set(0);
        listener.throwing = false;
        leases.close();
        runtime.close();
    }

    private static RuleSet hostileRules() {
        ExpiryRules expiryRules = new ExpiryRules(Duration.ZERO);
        FenceRules fenceRules = new FenceRules();
        DecisionRules decisionRules = new DecisionRules(expiryRules, fenceRules) {
            @Override
            protected Decision acquire(LeaseRequest.Acquire request, Scene scene) {
                if (scene.key().equals(BAD)) {
                    throw new StackOverflowError("injected by the test");
                }
                return super.acquire(request, scene);
            }
        };
        return new RuleSet(decisionRules, expiryRules, new ValidityRules(), new SettlementRules(fenceRules));
    }

    /** A store that throws instead of responding, for a number of calls that the test sets. */
    private static final class ThrowingPort implements AsyncStore {
        private final AsyncStore inner;
        private final AtomicInteger failing = new AtomicInteger();

        ThrowingPort(MemoryStore store) {
            this.inner = BlockingStoreAdapter.inline(store);
        }

        private void throwIfFailing() {
            if (failing.get() > 0) {
                failing.decrementAndGet();
                throw new AssertionError("injected by the test");
            }
        }

        @Override
        public StoreTraits traits() {
            return inner.traits();
        }

        @Override
        public CompletableFuture<List<WriteOutcome>> apply(int lane, List<Change> changes, boolean callerWaits) {
            throwIfFailing();
            return inner.apply(lane, changes, callerWaits);
        }

        @Override
        public CompletableFuture<List<Optional<StoredEntry>>> read(List<Key> keys) {
            throwIfFailing();
            return inner.read(keys);
        }

        @Override
        public CompletableFuture<ScanPage> scan(EntryScan entryScan) {
            throwIfFailing();
            return inner.scan(entryScan);
        }

        @Override
        public Optional<ChangeNotifier> notifier() {
            return Optional.empty();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private static final class ThrowingListener implements LeaseListener {
        private boolean throwing;

        @Override
        public void onAnswered(Key key, long nanos) {
            if (throwing) {
                throw new AssertionError("injected by the test");
            }
        }
    }

    private CompletableFuture<AcquireResult> acquire(Key key) {
        return leases.async().tryAcquire(key, AcquireOptions.defaults()).toCompletableFuture();
    }

    @Test
    void aRequestThatCannotBeDecidedFailsAndBlocksNoKey() {
        CompletableFuture<AcquireResult> bad = acquire(BAD);
        CompletableFuture<AcquireResult> again = acquire(BAD);
        CompletableFuture<AcquireResult> good = acquire(GOOD);

        assertThat(bad).isCompletedExceptionally();
        assertThat(again).isCompletedExceptionally();
        assertThat(good.join().isGranted()).isTrue();
    }

    @Test
    void aStoreCallThatThrowsFreesItsLane() {
        port.failing.set(20); // More often than there are lanes.
        CompletableFuture<AcquireResult> first = acquire(GOOD);
        CompletableFuture<AcquireResult> second = acquire(Key.of("better"));

        runtime.advance(Duration.ofSeconds(30));
        assertThat(first).isDone();
        assertThat(second).isDone();

        port.failing.set(0);
        assertThat(acquire(Key.of("best")).join().isGranted()).isTrue();
    }

    @Test
    void aReadThatThrowsLeavesTheReaderFree() {
        port.failing.set(1);

        CompletableFuture<?> found = leases.async().get(GOOD).toCompletableFuture();
        runtime.advance(Duration.ofSeconds(1));

        assertThat(found).isCompleted();
        assertThat(leases.get(GOOD)).isEmpty();
    }

    @Test
    void aScanThatThrowsIsRetried() {
        port.failing.set(1);

        CompletableFuture<?> removed =
                leases.async().cleanUp(CleanUpOptions.idle(10)).toCompletableFuture();
        runtime.advance(Duration.ofSeconds(1));

        assertThat(removed).isCompleted();
    }

    @Test
    void everyRequestCompletesAfterAnErrorOfAListener() {
        listener.throwing = true;

        assertThat(acquire(GOOD)).isDone();
        assertThat(acquire(Key.of("better"))).isDone();
    }
}
