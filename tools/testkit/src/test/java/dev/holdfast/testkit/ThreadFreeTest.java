package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests of a client without threads of its own: waits run on real clocks, the passing of time on manual ones. */
@Isolated("it inspects all threads of the process")
class ThreadFreeTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final AcquireOptions SHORT = AcquireOptions.defaults().term(Duration.ofMillis(80));

    private final ManualClock runtime = new ManualClock();

    private static LeasesOptions.Builder options() {
        return LeasesOptions.builder().holder("lambda").withoutThreads();
    }

    @Test
    void noThreadIsStarted() throws InterruptedException {
        Set<String> before = holdfastThreads();
        FaultyStore store = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment(), 2, true));
        try (Leases leases = Holdfast.open(store, options().build())) {
            Lease lease = leases.tryAcquire(KEY, SHORT).orThrow();
            lease.renew();
            lease.update(AttributePatch.putting("x", 1));
            store.next(StoreFault.FAIL, StoreFault.LOSE_ANSWER, StoreFault.CRASH);
            lease.renew();
            assertThat(leases.acquire(KEY, SHORT, Duration.ofSeconds(10)).isGranted())
                    .isTrue();

            assertThat(holdfastThreads()).isEqualTo(before);
        }
    }

    private static Set<String> holdfastThreads() {
        Set<String> names = new TreeSet<>();
        Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast"))
                .forEach(names::add);
        return names;
    }

    @Test
    void retriesRunOnTheCaller() {
        FaultyStore store = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment()));
        try (Leases leases = Holdfast.open(store, options().build())) {
            store.next(StoreFault.FAIL, StoreFault.LOSE_REQUEST, StoreFault.LOSE_ANSWER);

            Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();

            assertThat(lease.isHeld()).isTrue();
            assertThat(store.calls().applies()).isEqualTo(4);
        }
    }

    @Test
    void aRequestThatKeepsFailingTimesOutOnTheCaller() {
        FaultyStore store = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment()));
        LeasesOptions impatient =
                options().operationTimeout(Duration.ofMillis(100)).build();
        try (Leases leases = Holdfast.open(store, impatient)) {
            store.always(FaultyStore.Call.APPLY, StoreFault.FAIL);

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> leases.tryAcquire(KEY, AcquireOptions.defaults()))
                    .satisfies(e -> assertThat(e.effect()).isEqualTo(StoreException.Effect.NOT_APPLIED));
        }
    }

    @Test
    void waitingForAHolderRunsOnTheCaller() throws InterruptedException {
        MemoryStore store = new MemoryStore(new CallerThreadEnvironment());
        try (Leases holder = Holdfast.open(store, options().build());
                Leases waiter = Holdfast.open(store, options().build())) {
            Lease lease = holder.tryAcquire(KEY, SHORT).orThrow();

            assertThat(waiter.acquire(KEY, SHORT, Duration.ofMillis(1)))
                    .isInstanceOf(AcquireResult.HeldByAnother.class);
            Lease taken = waiter.acquire(KEY, SHORT, Duration.ofSeconds(10)).orThrow();

            assertThat(lease.isHeld()).isFalse();
            assertThat(taken.fence()).isGreaterThan(lease.fence());
        }
    }

    @Test
    void leasesAreNotRenewedInTheBackground() {
        try (Leases leases = manual()) {
            Lease lease = leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow();

            runtime.advance(Duration.ofSeconds(30));

            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.remaining()).isZero();
        }
    }

    @Test
    void aLateRenewalRevivesALeaseWithAnUnreportedExpiry() {
        List<LostReason> lost = new ArrayList<>();
        try (Leases leases = manual()) {
            Lease lease =
                    leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().onLost(lost::add);
            runtime.advance(Duration.ofMinutes(5));

            lease.renew();

            runtime.advance(Duration.ZERO);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lost).isEmpty();
        }
    }

    @Test
    void aReportedExpiryIsFinal() {
        List<LostReason> lost = new ArrayList<>();
        try (Leases leases = manual()) {
            Lease lease =
                    leases.tryAcquire(KEY, AcquireOptions.defaults()).orThrow().onLost(lost::add);
            runtime.advance(Duration.ofMinutes(5));
            assertThat(lease.isHeld()).isFalse();

            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::renew);

            runtime.advance(Duration.ZERO);
            assertThat(lost).containsExactly(LostReason.EXPIRED);
        }
    }

    private Leases manual() {
        return Holdfast.open(
                new MemoryStore(runtime), options().environment(runtime).build());
    }
}
