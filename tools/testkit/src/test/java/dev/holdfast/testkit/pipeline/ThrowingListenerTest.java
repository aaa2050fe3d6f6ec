package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that an {@link Error} in the user's code affects no request, lease or timer of the client. */
class ThrowingListenerTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));

    /** A listener that throws an error in every method. */
    private static LeaseListener throwing() {
        return (LeaseListener) Proxy.newProxyInstance(
                LeaseListener.class.getClassLoader(), new Class<?>[] {LeaseListener.class}, (proxy, method, args) -> {
                    throw new AssertionError("the listener fails in " + method.getName());
                });
    }

    private Leases open(LeaseListener listener) {
        return Holdfast.open(
                store,
                LeasesOptions.builder()
                        .holder("ann")
                        .environment(runtime)
                        .listener(listener)
                        .build());
    }

    @Test
    void everyRequestCompletesAlthoughTheListenerThrowsAnError() {
        try (Leases leases = open(throwing())) {
            CompletableFuture<AcquireResult> one =
                    leases.async().tryAcquire(KEY, OPTIONS).toCompletableFuture();
            CompletableFuture<AcquireResult> other =
                    leases.async().tryAcquire(Key.of("other"), OPTIONS).toCompletableFuture();

            assertThat(one).isCompletedWithValueMatching(AcquireResult::isGranted);
            assertThat(other).isCompletedWithValueMatching(AcquireResult::isGranted);
        }
    }

    @Test
    void aLeaseIsRenewedAlthoughTheListenerThrowsAnError() {
        try (Leases leases = open(throwing())) {
            Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow();

            runtime.advance(TERM.multipliedBy(3));

            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void everyLossIsReportedAlthoughTheListenerThrowsAnError() {
        List<LostReason> lost = new ArrayList<>();
        try (Leases leases = open(throwing())) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().onLost(lost::add);
            leases.tryAcquire(Key.of("other"), OPTIONS).orThrow().onLost(lost::add);
            store.always(Call.APPLY, StoreFault.FAIL);

            runtime.advance(TERM);

            assertThat(lost).containsExactly(LostReason.STORE_UNREACHABLE, LostReason.STORE_UNREACHABLE);
            store.heal();
        }
    }

    @Test
    void anEnvironmentThatRejectsOneCallbackStillReceivesTheOthers() {
        List<String> called = new ArrayList<>();
        AtomicInteger executed = new AtomicInteger();
        HostEnvironment rejecting = (HostEnvironment) Proxy.newProxyInstance(
                HostEnvironment.class.getClassLoader(),
                new Class<?>[] {HostEnvironment.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("execute") && executed.getAndIncrement() == 0) {
                        throw new AssertionError("unable to create a thread");
                    }
                    return method.invoke(runtime, args);
                });
        LeasesOptions options =
                LeasesOptions.builder().holder("ann").environment(rejecting).build();
        try (Leases leases = Holdfast.open(store, options)) {
            leases.tryAcquire(KEY, OPTIONS.autoRenew(false)).orThrow().onLost(reason -> called.add("first"));
            leases.tryAcquire(Key.of("other"), OPTIONS.autoRenew(false))
                    .orThrow()
                    .onLost(reason -> called.add("second"));

            runtime.advance(TERM);

            assertThat(called).contains("second");
        }
    }

    @Test
    void anErrorInACallbackStopsNeitherTimersNorOtherCallbacks() {
        List<String> called = Collections.synchronizedList(new ArrayList<>());
        try (Leases leases = Holdfast.open("memory:", LeasesOptions.defaults())) {
            LeaseService.of(leases).environment().schedule(Duration.ZERO, () -> {
                throw new AssertionError("a timer fails");
            });
            LeaseService.of(leases).environment().execute(() -> {
                throw new AssertionError("a callback fails");
            });
            LeaseService.of(leases).environment().schedule(Duration.ofMillis(1), () -> called.add("timer"));
            LeaseService.of(leases).environment().execute(() -> called.add("callback"));

            Eventually.until(() -> called.size() == 2);
        }
    }

    @Test
    void anErrorInACallbackDoesNotReachTheCallThatRanItWithoutThreads() {
        try (Leases leases = Holdfast.open(
                "memory:", LeasesOptions.builder().withoutThreads().build())) {
            LeaseService.of(leases).environment().schedule(Duration.ZERO, () -> {
                throw new AssertionError("a callback fails");
            });

            assertThat(leases.tryAcquire(KEY, OPTIONS).isGranted()).isTrue();
        }
    }

    @Test
    void aTimerForTheLongestDurationIsKept() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        try (Leases leases = Holdfast.open("memory:", LeasesOptions.defaults());
                Leases threadless = Holdfast.open(
                        "memory:", LeasesOptions.builder().withoutThreads().build())) {
            LeaseService.of(leases).environment().schedule(longest, () -> {}).cancel();
            LeaseService.of(threadless)
                    .environment()
                    .schedule(longest, () -> {})
                    .cancel();
            runtime.schedule(longest, () -> {}).cancel();
        }
    }

    @Test
    void aWaitForTheLongestDurationEndsWithTheGrant() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        try (Leases leases = open(LeaseListener.NONE)) {
            Lease held = leases.tryAcquire(KEY, OPTIONS).orThrow();
            CompletableFuture<AcquireResult> waiting =
                    leases.async().acquire(KEY, OPTIONS, longest).toCompletableFuture();

            held.release();
            runtime.advance(Duration.ofSeconds(1));

            assertThat(waiting).isCompletedWithValueMatching(AcquireResult::isGranted);
        }
    }

    @Test
    void cleaningUpAcceptsNoDurationThatOverflowsATime() {
        CleanUpOptions idle = CleanUpOptions.idle(10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> idle.doneOlderThan(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageStartingWith("keepDone: PT")
                .withMessageContaining("(expected: >= PT0S and <= P36500D)");
        assertThat(idle.doneOlderThan(Duration.ofDays(36_500)).keepDone()).contains(Duration.ofDays(36_500));
    }
}
