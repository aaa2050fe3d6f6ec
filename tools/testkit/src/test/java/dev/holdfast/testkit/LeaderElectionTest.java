package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.NotGrantedException;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.support.ClientClosedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
    private static final Key KEY = Key.of("leader");
    private static final Duration TERM = AcquireOptions.DEFAULT_TERM;

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final Leases ann = open("ann");
    private final Leases bob = open("bob");
    private final List<String> events = new CopyOnWriteArrayList<>();

    private Leases open(String holder) {
        return Holdfast.open(
                store,
                LeasesOptions.builder().holder(holder).environment(runtime).build());
    }

    @AfterEach
    void close() {
        store.heal();
        ann.close();
        bob.close();
        runtime.close();
    }

    /** Leads until it is interrupted. */
    private LeaderElection contend(Leases leases, String name) {
        return lead(leases, name, lease -> await());
    }

    private LeaderElection lead(Leases leases, String name, LeaderElection.Work work) {
        return LeaderElection.of(leases, KEY)
                .onFailed(error -> events.add(name + " failed " + kind(error)))
                .lead(lease -> {
                    events.add(name + " leads");
                    try {
                        work.lead(lease);
                    } finally {
                        events.add(name + " ends");
                    }
                });
    }

    private static void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Waits for the leaders' threads, and runs the tasks that they scheduled on the clock. */
    private void until(BooleanSupplier condition) {
        Eventually.until(() -> {
            runtime.advance(Duration.ZERO);
            return condition.getAsBoolean();
        });
    }

    private void awaitEvents(String... expected) {
        until(() -> events.size() >= expected.length);
        assertThat(events).containsExactly(expected);
    }

    private boolean isFree() {
        return bob.get(KEY).orElseThrow().state() == LeaseState.FREE;
    }

    @Test
    void oneLeadsAndTheOtherWaits() {
        LeaderElection first = contend(ann, "ann");
        LeaderElection second = contend(bob, "bob");
        awaitEvents("ann leads");

        runtime.advance(Duration.ofHours(1));

        assertThat(first.isLeader()).isTrue();
        assertThat(first.leading()).map(Lease::key).contains(KEY);
        assertThat(second.isLeader()).isFalse();
        assertThat(events).containsExactly("ann leads");
    }

    @Test
    void aLeaderThatClosesIsInterruptedAndReplacedImmediately() {
        LeaderElection first = contend(ann, "ann");
        LeaderElection second = contend(bob, "bob");
        awaitEvents("ann leads");

        first.close();
        first.close();

        awaitEvents("ann leads", "ann ends", "bob leads");
        assertThat(second.isLeader()).isTrue();
        runtime.advance(Duration.ofHours(1));
        assertThat(first.isLeader()).isFalse();
    }

    @Test
    void aLeaderThatIsEvictedIsInterruptedAndContendsAgain() {
        LeaderElection first = contend(ann, "ann");
        awaitEvents("ann leads");
        ann.evict(KEY, "once more");

        runtime.advance(TERM.dividedBy(2));

        awaitEvents("ann leads", "ann ends", "ann leads");
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    void aLeaderWithoutAStoreIsInterruptedAndContendsUntilTheStoreIsBack() {
        LeaderElection election = contend(ann, "ann");
        awaitEvents("ann leads");
        store.always(FaultyStore.Call.APPLY, StoreFault.FAIL).always(FaultyStore.Call.READ, StoreFault.FAIL);

        runtime.advance(TERM);
        awaitEvents("ann leads", "ann ends");
        assertThat(election.isLeader()).isFalse();

        runtime.advance(Duration.ofHours(1));
        store.heal();
        runtime.advance(TERM);
        until(election::isLeader);
        until(() -> events.get(events.size() - 1).equals("ann leads"));
    }

    @Test
    void aDoneKeyFailsTheElectionAndIsRetried() {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().done();
        LeaderElection election = contend(ann, "ann");
        awaitEvents("ann failed " + NotGrantedException.class.getSimpleName());

        ann.reopen(KEY);
        runtime.advance(TERM);

        until(election::isLeader);
    }

    @Test
    void workThatThrowsEndsTheLeadershipAndContendsAgain() {
        assertContendsAgainAfterFailure(new IllegalStateException("not ready"));
    }

    @Test
    void workThatThrowsAnErrorEndsTheLeadershipAndContendsAgain() {
        assertContendsAgainAfterFailure(new AssertionError("not ready"));
    }

    private void assertContendsAgainAfterFailure(Throwable failure) {
        AtomicInteger led = new AtomicInteger();
        LeaderElection election = lead(ann, "ann", lease -> {
            if (led.getAndIncrement() > 0) {
                await();
            } else if (failure instanceof Error error) {
                throw error;
            } else {
                throw (Exception) failure;
            }
        });
        awaitEvents("ann leads", "ann ends", "ann failed " + failure.getClass().getSimpleName());
        assertThat(isFree()).isTrue();

        runtime.advance(TERM);

        until(() -> events.size() == 4);
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void aFailureCallbackThatThrowsDoesNotStopTheElection() {
        AtomicInteger led = new AtomicInteger();
        LeaderElection election = LeaderElection.of(ann, KEY)
                .onFailed(error -> {
                    throw new AssertionError("the callback fails");
                })
                .lead(lease -> {
                    if (led.getAndIncrement() == 0) {
                        throw new IllegalStateException("not ready");
                    }
                    await();
                });
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Eventually.until(() -> {
            Throwable failure = catchThrowable(() -> runtime.advance(Duration.ZERO));
            if (failure != null) {
                thrown.add(failure);
            }
            return !thrown.isEmpty();
        });
        assertThat(thrown.get(0)).hasMessage("the callback fails");

        runtime.advance(TERM);

        until(() -> led.get() == 2);
        until(election::isLeader);
    }

    @Test
    void aLeaderThatReturnsContendsAgain() {
        assertContendsAgainAfter(lease -> {});
    }

    @Test
    void aLeaderThatReleasesItsOwnLeaseContendsAgain() {
        assertContendsAgainAfter(Lease::release);
    }

    private void assertContendsAgainAfter(LeaderElection.Work work) {
        AtomicInteger led = new AtomicInteger();
        LeaderElection election = lead(ann, "ann", lease -> {
            if (led.getAndIncrement() == 0) {
                work.lead(lease);
            } else {
                await();
            }
        });
        awaitEvents("ann leads", "ann ends");
        until(this::isFree);

        Eventually.until(() -> {
            runtime.advance(Duration.ofMillis(100));
            return events.size() > 2;
        });

        assertThat(events).containsExactly("ann leads", "ann ends", "ann leads");
        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void workThatThrowsBecauseItsLeaseWasLostIsFollowedByOneLeadershipOnly() {
        AtomicInteger leading = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger led = new AtomicInteger();
        lead(ann, "ann", lease -> {
            most.accumulateAndGet(leading.incrementAndGet(), Math::max);
            try {
                if (led.incrementAndGet() == 1) {
                    bob.evict(KEY, "it hangs");
                    lease.renew(); // throws
                }
                await();
            } finally {
                leading.decrementAndGet();
            }
        });
        until(() -> events.contains("ann failed LeaseLostException"));

        for (int i = 0; i < 6; i++) {
            runtime.advance(TERM);
        }

        until(() -> led.get() == 2);
        assertThat(most).hasValue(1);
        assertThat(events).filteredOn("ann leads"::equals).hasSize(2);
    }

    @Test
    void aLeaderThatBlocksDelaysNoOtherElectionOfItsClient() {
        CountDownLatch go = new CountDownLatch(1);
        LeaderElection first = lead(ann, "first", lease -> {
            while (go.getCount() > 0) {
                uninterruptibly(go);
            }
        });
        LeaderElection second = LeaderElection.of(ann, Key.of("other")).lead(lease -> events.add("second leads"));

        until(() -> events.contains("first leads") && events.contains("second leads"));

        go.countDown();
        first.close();
        second.close();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            // Work that ignores interrupts.
        }
    }

    @Test
    void aLeaderMayCloseItsOwnElection() {
        CompletableFuture<LeaderElection> election = new CompletableFuture<>();
        election.complete(lead(ann, "ann", lease -> {
            election.join().close();
            election.join().close();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }));

        awaitEvents("ann leads", "ann ends");

        until(this::isFree);
        runtime.advance(Duration.ofHours(1));
        assertThat(events).hasSize(2);
    }

    @Test
    void anElectionMayBeClosedInACallbackOfAnAsynchronousCall() {
        LeaderElection election = contend(ann, "ann");
        awaitEvents("ann leads");

        CompletableFuture<Void> closed =
                ann.async().get(KEY).thenRun(election::close).toCompletableFuture();

        until(closed::isDone);
        assertThat(closed).isCompleted();
        election.close();
        awaitEvents("ann leads", "ann ends");
        assertThat(isFree()).isTrue();
    }

    @Test
    void workThatIgnoresItsInterruptDelaysTheReleaseByAThirdOfTheTermOnly() {
        CountDownLatch go = new CountDownLatch(1);
        LeaderElection election = lead(ann, "ann", lease -> {
            while (go.getCount() > 0) {
                uninterruptibly(go);
            }
        });
        awaitEvents("ann leads");
        CompletableFuture<Void> closed =
                ann.async().get(KEY).thenRun(election::close).toCompletableFuture();
        until(closed::isDone);
        assertThat(isFree()).isFalse();

        runtime.advance(TERM.dividedBy(3));

        assertThat(isFree()).isTrue();
        go.countDown();
        awaitEvents("ann leads", "ann ends");
    }

    @Test
    void anElectionClosedWhileContendingIsNeverElected() {
        Lease held = ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        LeaderElection election = contend(bob, "bob");

        election.close();
        held.release();
        runtime.advance(TERM);

        assertThat(events).isEmpty();
        assertThat(isFree()).isTrue();
    }

    @Test
    void anElectionEndsWhenItsClientIsClosedWhileContending() {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();
        contend(bob, "bob");

        bob.close();

        assertReportsClosedAndThenNothing("bob");
    }

    @Test
    void anElectionEndsWhenItsClientIsClosedBetweenRetries() {
        ann.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().done();
        contend(bob, "bob");
        awaitEvents("bob failed " + NotGrantedException.class.getSimpleName());
        events.clear();

        bob.close();

        assertReportsClosedAndThenNothing("bob");
    }

    private static String kind(Throwable error) {
        return error instanceof ClientClosedException
                ? "IllegalStateException"
                : error.getClass().getSimpleName();
    }

    private void assertReportsClosedAndThenNothing(String name) {
        runtime.advance(TERM);
        assertThat(events).containsOnly(name + " failed " + IllegalStateException.class.getSimpleName());
        events.clear();
        runtime.advance(Duration.ofHours(1));
        assertThat(events).isEmpty();
    }
}
