package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.LostReason;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.FaultyStore;
import dev.holdfast.testkit.FaultyStore.Call;
import dev.holdfast.testkit.ManualClock;
import dev.holdfast.testkit.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the moments at which a held lease is renewed, warned and ended. */
class UpkeepTimingTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration THIRD = TERM.dividedBy(3);
    private static final AcquireOptions RENEWED = AcquireOptions.defaults().term(TERM);
    private static final AcquireOptions UNRENEWED = RENEWED.autoRenew(false);

    private final ManualClock runtime = new ManualClock();
    private final FaultyStore store = FaultyStore.around(new MemoryStore(runtime));
    private final List<Duration> renewals = new ArrayList<>();
    private final List<Duration> leftAtRenewal = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final Leases leases = Holdfast.open(
            store,
            LeasesOptions.builder()
                    .holder("ann")
                    .environment(runtime)
                    .listener(new LeaseListener() {
                        @Override
                        public void onRenewed(Key key, long leftNanos) {
                            renewals.add(now());
                            leftAtRenewal.add(Duration.ofNanos(leftNanos));
                        }
                    })
                    .build());

    @AfterEach
    void close() {
        store.heal();
        leases.close();
        runtime.close();
    }

    private Duration now() {
        return Duration.ofNanos(runtime.nanos());
    }

    private Lease acquire(String name, AcquireOptions options) {
        return leases.tryAcquire(Key.of(name), options).orThrow();
    }

    private void note(String event) {
        events.add(event + " at " + now());
    }

    @Test
    void aLeaseIsRenewedOnceInEveryThirdOfItsTerm() {
        acquire("one", RENEWED);

        runtime.advance(THIRD.multipliedBy(9).dividedBy(10).minusNanos(1));
        assertThat(renewals).isEmpty();
        runtime.advance(TERM.multipliedBy(4));

        Duration interval = renewals.get(0);
        assertThat(interval).isBetween(THIRD.multipliedBy(9).dividedBy(10), THIRD);
        for (int i = 1; i < renewals.size(); i++) {
            assertThat(renewals.get(i).minus(renewals.get(i - 1))).isEqualTo(interval);
        }
        assertThat(leftAtRenewal).containsOnly(TERM.minus(interval));
    }

    @Test
    void leasesThatWereGrantedTogetherAreNotRenewedTogether() {
        for (int i = 0; i < 5; i++) {
            acquire("key-" + i, RENEWED);
        }

        runtime.advance(THIRD);

        assertThat(renewals).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void aLeaseEndsExactlyAtTheEndOfItsTerm() {
        Lease lease = acquire("one", UNRENEWED);
        lease.onLost(reason -> note(reason.name()));

        runtime.advance(TERM.minusNanos(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        runtime.advance(Duration.ofNanos(1));

        assertThat(events).containsExactly("EXPIRED at " + TERM);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aLeaseThatCannotBeRenewedEndsWithItsTermBecauseOfTheStore() {
        Lease lease = acquire("one", RENEWED);
        lease.onLost(reason -> note(reason.name()));
        store.always(Call.APPLY, StoreFault.FAIL);

        runtime.advance(TERM.multipliedBy(2));

        assertThat(events).containsExactly(LostReason.STORE_UNREACHABLE + " at " + TERM);
    }

    @Test
    void aWarningComesExactlyWhenTheRestOfTheTermHasFallenToIt() {
        Duration before = Duration.ofSeconds(7);
        Lease lease = acquire("one", UNRENEWED).onExpiring(before, () -> note("warned"));

        runtime.advance(TERM.minus(before).minusNanos(1));
        assertThat(events).isEmpty();
        runtime.advance(before);

        assertThat(events).containsExactly("warned at " + TERM.minus(before));
        lease.renew();
        runtime.advance(TERM.minusNanos(1));
        assertThat(events).hasSize(2);
    }

    @Test
    void everyWarningOfALeaseIsGiven() {
        acquire("one", UNRENEWED)
                .onExpiring(Duration.ofSeconds(5), () -> note("last"))
                .onExpiring(Duration.ofSeconds(15), () -> note("first"));

        runtime.advance(TERM);

        assertThat(events).containsExactly("first at PT15S", "last at PT25S");
    }

    @Test
    void aWarningMayComeTwoThirdsOfTheTermBeforeItsEndAtMost() {
        Lease lease = acquire("one", UNRENEWED);
        Duration most = THIRD.multipliedBy(2);

        lease.onExpiring(most, () -> note("warned"));
        assertThatIllegalArgumentException().isThrownBy(() -> lease.onExpiring(most.plusNanos(1), () -> {}));

        runtime.advance(THIRD);
        assertThat(events).containsExactly("warned at " + THIRD);
    }

    @Test
    void aWarningThatIsRegisteredLateComesInTimeToo() {
        Lease lease = acquire("one", UNRENEWED);
        runtime.advance(Duration.ofSeconds(11));

        lease.onExpiring(Duration.ofSeconds(18), () -> note("warned"));
        runtime.advance(THIRD);

        assertThat(events).containsExactly("warned at PT12S");
    }

    @Test
    void aLeaseThatWasLostIsRenewedNoMore() {
        acquire("one", RENEWED.term(Duration.ofSeconds(3)));
        store.always(Call.APPLY, StoreFault.FAIL);
        runtime.advance(Duration.ofSeconds(3));
        int calls = store.calls().applies();

        runtime.advance(TERM);

        assertThat(store.calls().applies()).isEqualTo(calls);
    }

    @Test
    void aSleepIsNoticedWithinAThirdOfTheTerm() {
        acquire("one", UNRENEWED).onLost(reason -> note(reason.name()));
        runtime.advance(Duration.ofSeconds(1));
        runtime.sleep(TERM);

        runtime.advance(THIRD);

        assertThat(events).hasSize(1);
    }

    @Test
    void aRenewalThatTheStoreRejectsIsRetriedAfterATenthOfTheTerm() {
        acquire("one", RENEWED);
        store.always(Call.APPLY, StoreFault.REJECT);
        runtime.advance(THIRD);
        int rejected = store.calls().applies();

        runtime.advance(TERM.dividedBy(10).minus(THIRD.dividedBy(10)).minusNanos(1));
        assertThat(store.calls().applies()).isEqualTo(rejected);
        store.heal();
        runtime.advance(THIRD.dividedBy(10).plusNanos(1));

        assertThat(renewals).hasSize(1);
        runtime.advance(TERM);
        assertThat(renewals).as("the usual interval, after a success").hasSizeBetween(4, 5);
    }

    @Test
    void aReleasedLeaseCausesNoMoreCalls() {
        Lease lease = acquire("one", RENEWED);
        lease.release();
        int calls = store.calls().applies();

        runtime.advance(TERM.multipliedBy(3));

        assertThat(store.calls().applies()).isEqualTo(calls);
        assertThat(renewals).isEmpty();
    }

    @Test
    void leasesUnderAnAnchorEndWithIt() {
        Anchor anchor = leases.anchor("worker", TERM);
        Lease child = leases.tryAcquire(
                        Key.of("child"), AcquireOptions.defaults().under(anchor))
                .orThrow();
        child.onLost(reason -> note("child " + reason));
        anchor.onLost(reason -> note("anchor " + reason));
        store.always(Call.APPLY, StoreFault.FAIL);

        runtime.advance(TERM);

        assertThat(child.isHeld()).isFalse();
        assertThat(events)
                .containsExactlyInAnyOrder("anchor STORE_UNREACHABLE at " + TERM, "child STORE_UNREACHABLE at " + TERM);
    }

    @Test
    void aLeaseUnderAnAnchorIsLostForTheReasonOfItsAnchor() {
        Anchor anchor = leases.anchor("worker", TERM);
        Lease child = leases.tryAcquire(
                        Key.of("child"), AcquireOptions.defaults().under(anchor))
                .orThrow();
        child.onLost(reason -> note("child " + reason));
        store.always(Call.APPLY, StoreFault.FAIL);
        runtime.advance(TERM.dividedBy(2));
        runtime.sleep(TERM);

        assertThat(child.isHeld()).as("before any timer has noticed it").isFalse();
        runtime.advance(Duration.ZERO);

        assertThat(events).containsExactly("child STORE_UNREACHABLE at " + TERM.dividedBy(2));
        assertThat(anchor.isHeld()).isFalse();
    }
}
