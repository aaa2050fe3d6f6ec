package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.HistoryChecker;
import dev.holdfast.testkit.LeaseHistory;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the validity of leases while the store fails or the holder's clock jumps or stops. */
class OutageTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final List<LostReason> lost = new ArrayList<>();

    private Leases open(String holder) {
        return Holdfast.open(
                store,
                LeasesOptions.builder().holder(holder).environment(runtime).build());
    }

    @Test
    void aShortOutageCostsNoLease() {
        try (Leases leases = open("ann")) {
            Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow().onLost(lost::add);
            store.always(Call.APPLY, StoreFault.FAIL);
            runtime.advance(TERM.dividedBy(2));
            store.heal();

            runtime.advance(TERM.multipliedBy(3));

            assertThat(lease.isHeld()).isTrue();
            assertThat(lost).isEmpty();
        }
    }

    @Test
    void aLongOutageIsReportedAtTheEndOfTheTerm() {
        List<Duration> warned = new ArrayList<>();
        try (Leases leases = open("ann")) {
            Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow().onLost(lost::add);
            lease.onExpiring(Duration.ofSeconds(5), () -> warned.add(lease.remaining()));
            store.always(Call.APPLY, StoreFault.LOSE_REQUEST);

            runtime.advance(TERM.minusNanos(1));
            assertThat(lease.isHeld()).isTrue();
            assertThat(warned).containsExactly(Duration.ofSeconds(5));
            runtime.advance(Duration.ofNanos(1));

            assertThat(lost).containsExactly(LostReason.STORE_UNREACHABLE);
            assertThat(lease.isHeld()).isFalse();
            store.heal();
        }
    }

    @Test
    void aRenewalThatSucceedsAfterTheLossWasReportedFails() {
        try (Leases leases = open("ann")) {
            Lease lease =
                    leases.tryAcquire(KEY, OPTIONS.autoRenew(false)).orThrow().onLost(lost::add);
            runtime.advance(TERM.minusMillis(1));
            store.next(StoreFault.LOSE_ANSWER);
            CompletableFuture<Void> renewed = lease.renewAsync().toCompletableFuture();

            runtime.advance(Duration.ofSeconds(1));

            assertThat(lost).containsExactly(LostReason.EXPIRED);
            assertThat(renewed)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(LeaseLostException.class);
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    void aLeaseExpiresWhileTheMachineSleeps() {
        try (Leases leases = open("ann")) {
            Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow().onLost(lost::add);

            runtime.sleep(TERM);

            assertThat(lease.isHeld()).isFalse();
            runtime.advance(Duration.ZERO);
            assertThat(lost).containsExactly(LostReason.EXPIRED);
        }
    }

    @Test
    void aSleepIsAlsoDetectedByTheNextTimer() {
        try (Leases leases = open("ann")) {
            leases.tryAcquire(KEY, OPTIONS).orThrow().onLost(lost::add);

            runtime.sleep(TERM);
            runtime.advance(TERM.dividedBy(3));

            assertThat(lost).containsExactly(LostReason.EXPIRED);
        }
    }

    @Test
    void aWallClockThatJumpsBackExtendsNoLease() {
        try (Leases leases = open("ann");
                Leases other = open("bob")) {
            Lease lease = leases.tryAcquire(KEY, OPTIONS.autoRenew(false)).orThrow();
            runtime.jumpWall(Duration.ofDays(-1));
            assertThat(other.tryAcquire(KEY, OPTIONS).isGranted()).isFalse();

            runtime.advance(TERM);
            assertThat(lease.isHeld()).isFalse();
            runtime.advance(TERM.dividedBy(1000));
            Lease taken = other.tryAcquire(KEY, OPTIONS).orThrow();

            assertThat(taken.fence()).isGreaterThan(lease.fence());
        }
    }

    @Test
    void leasesNeverOverlapAndFencesGrowOnAFaultyStore() {
        int grants = 0;
        for (int seed = 0; seed < 60; seed++) {
            LeaseHistory leaseHistory = new Churn(seed).run(300);
            assertThat(HistoryChecker.check(leaseHistory)).as("seed %s", seed).isEmpty();
            grants += (int) leaseHistory.events().stream()
                    .filter(event -> event.kind() == LeaseHistory.Kind.BEGAN)
                    .count();
        }
        assertThat(grants).isGreaterThan(1000);
    }

    /** Three clients that acquire and release one key on a store that fails one call in four. */
    private static final class Churn {
        private static final int CLIENTS = 3;

        private final Random random;
        private final ManualClock runtime;
        private final FaultyStore store;
        private final List<Leases> clients = new ArrayList<>();
        private final List<CompletableFuture<AcquireResult>> requests = new ArrayList<>();
        private final List<@Nullable Lease> held = new ArrayList<>();
        private final LeaseHistory leaseHistory = new LeaseHistory();

        Churn(long seed) {
            random = new Random(seed);
            runtime = new ManualClock(seed);
            store = FaultyStore.around(new MemoryStore(runtime))
                    .randomly(
                            seed,
                            0.25,
                            StoreFault.FAIL,
                            StoreFault.LOSE_REQUEST,
                            StoreFault.LOSE_ANSWER,
                            StoreFault.DELIVER_LATE,
                            StoreFault.CRASH);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Holdfast.open(
                        store,
                        LeasesOptions.builder()
                                .holder("client-" + i)
                                .environment(runtime)
                                .operationTimeout(Duration.ofMillis(500))
                                .settleTimeout(Duration.ofMillis(500))
                                .build()));
                requests.add(CompletableFuture.failedFuture(new IllegalStateException("no request yet")));
                held.add(null);
            }
        }

        LeaseHistory run(int steps) {
            for (int step = 0; step < steps; step++) {
                act(random.nextInt(CLIENTS));
                runtime.advance(Duration.ofMillis(random.nextInt(200)));
                if (random.nextInt(5) == 0) {
                    store.deliverLate();
                }
            }
            return leaseHistory;
        }

        private void act(int client) {
            Lease lease = held.get(client);
            if (lease != null) {
                held.set(client, null);
                leaseHistory.ended(runtime.nanos(), KEY, lease.fence().value());
                CompletableFuture<Boolean> unused = lease.releaseAsync().toCompletableFuture();
            } else if (requests.get(client).isDone()) {
                CompletableFuture<AcquireResult> future = clients.get(client)
                        .async()
                        .tryAcquire(KEY, OPTIONS.term(Duration.ofSeconds(1)).autoRenew(false))
                        .toCompletableFuture();
                requests.set(client, future);
                CompletableFuture<Void> unused =
                        future.thenAccept(result -> result.granted().ifPresent(won -> recordGrant(client, won)));
            }
        }

        private void recordGrant(int client, Lease lease) {
            long now = runtime.nanos();
            long fence = lease.fence().value();
            held.set(client, lease);
            leaseHistory.began(now, KEY, lease.holder().name(), fence);
            leaseHistory.extended(now, KEY, fence, now + lease.remaining().toNanos());
        }
    }
}
