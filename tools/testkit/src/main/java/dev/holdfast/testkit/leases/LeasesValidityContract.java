package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AcquireResult;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of how long a lease is valid, how it is renewed, and how its holder is notified of a loss. */
interface LeasesValidityContract extends LeasesSteps {
    @Test
    default void aLeaseExpiresAtTheEndOfItsTermWithoutARequest() {
        var lease = acquire(ann(), KEY);
        var lost = lossesOf(lease);
        assertThat(lease.isHeld()).isTrue();
        lease.checkHeld();

        elapse(term());

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertLost(lease::checkHeld, LostReason.EXPIRED);
        until(() -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.EXPIRED);
    }

    @Test
    default void everyCallbackIsNotifiedOfALossOnceEvenIfRegisteredLate() {
        List<String> notified = Collections.synchronizedList(new ArrayList<>());
        var lease = acquire(ann(), KEY);
        lease.onLost(reason -> notified.add("first")).onLost(reason -> notified.add("second"));
        elapse(term());
        assertThat(lease.isHeld()).isFalse();

        lease.onLost(reason -> notified.add("late"));

        until(() -> notified.size() >= 3);
        elapse(term());
        settleCallbacks(ann());
        assertThat(notified)
                .containsExactlyInAnyOrder("first", "second", "late")
                .containsSubsequence("first", "second");
    }

    @Test
    default void aReleasedLeaseIsNotReportedAsLost() {
        var lease = acquire(ann(), KEY);
        var lost = lossesOf(lease);

        lease.release();
        assertThatIllegalStateException().isThrownBy(lease::checkHeld);
        lease.onLost(lost::add);
        elapse(term());
        settleCallbacks(ann());

        assertThat(lost).isEmpty();
    }

    @Test
    default void aLossCallbackMayBlock() {
        assertCallbackMayBlock(ann());
    }

    @Test
    default void aLossCallbackMayBlockWithoutThreadsToo() {
        assertCallbackMayBlock(ghost());
    }

    private void assertCallbackMayBlock(Leases client) {
        List<AcquireResult> again = Collections.synchronizedList(new ArrayList<>());
        var lease = acquire(client, KEY).onLost(reason -> again.add(client.tryAcquire(KEY, unrenewed())));
        bob().evict(KEY, "it hangs");

        assertLost(lease::renew, LostReason.EVICTED);

        until(() -> !again.isEmpty());
        assertThat(again.get(0).isGranted()).isTrue();
    }

    @Test
    default void aRenewalBeginsANewTerm() {
        var lease = acquire(ann(), KEY);
        elapse(term().dividedBy(2));
        Duration before = lease.remaining();

        lease.renew();

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(before).isLessThanOrEqualTo(term());
        if (!dialect().countsBeats()) {
            assertThat(status(bob()).fence()).isEqualTo(fenceOf(lease));
        }
        elapse(term().multipliedBy(2).dividedBy(3));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    default void renewalInTheBackgroundKeepsALeaseOverManyTerms() {
        var lease = acquireAndRenew(ann());
        for (int i = 0; i < 12; i++) {
            elapse(term().dividedBy(4));
            assertThat(lease.isHeld()).as("after %s quarters of a term", i + 1).isTrue();
        }
        assertThat(bob().tryAcquire(KEY, renewed()).isGranted()).isFalse();
    }

    @Test
    default void renewalInTheBackgroundStopsWhenTheLeaseEnds() {
        var lease = acquireAndRenew(ann());
        lease.release();
        var next = acquire(bob(), KEY);

        elapse(term().dividedBy(2));

        assertThat(status(bob()).fence()).isEqualTo(fenceOf(next));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    default void aBackgroundRenewalReportsAnEviction() {
        var lease = acquireAndRenew(ann());
        var lost = lossesOf(lease);
        bob().evict(KEY, "it hangs");

        elapse(term().dividedBy(2));

        until(() -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    default void aTakenKeyIsReportedAsTaken() {
        var lease = ann().tryAcquire(KEY, unrenewed()).orThrow();
        bob().evict(KEY, "it hangs");
        acquire(bob(), KEY);

        assertLost(lease::renew, LostReason.TAKEN);
    }

    @Test
    default void aWarningIsGivenBeforeALeaseEndsAndNotEarlier() {
        Duration before = term().dividedBy(3);
        AtomicInteger warnings = new AtomicInteger();
        List<Duration> left = Collections.synchronizedList(new ArrayList<>());
        var lease = acquire(ann(), KEY);
        lease.onExpiring(before, () -> {
            left.add(lease.remaining());
            warnings.incrementAndGet();
        });
        elapse(term().dividedBy(3));
        assertThat(warnings.get() == 0 || lease.remaining().compareTo(before) <= 0)
                .isTrue();

        elapse(term().dividedBy(3).plusMillis(1));
        until(() -> warnings.get() > 0);

        assertThat(left.get(0)).isLessThanOrEqualTo(before);
        assertThat(warnings).hasValue(1);
    }

    @Test
    default void aWarningIsGivenAgainInTheNextTerm() {
        AtomicInteger warnings = new AtomicInteger();
        var lease = acquire(ann(), KEY);
        lease.onExpiring(term().dividedBy(2), warnings::incrementAndGet);
        elapse(term().dividedBy(2).plusMillis(1));
        until(() -> warnings.get() == 1);
        lease.renew();

        elapse(term().dividedBy(2).plusMillis(1));

        until(() -> warnings.get() == 2);
    }

    @Test
    default void noWarningIsGivenWhileRenewalsGetThrough() {
        AtomicInteger warnings = new AtomicInteger();
        acquireAndRenew(ann()).onExpiring(term().dividedBy(10), warnings::incrementAndGet);

        elapse(term().multipliedBy(2));
        settleCallbacks(ann());

        assertThat(warnings).hasValue(0);
    }

    @Test
    default void aWarningMustLeaveTimeForARenewal() {
        var lease = acquire(ann(), KEY);

        assertIllegal(() -> lease.onExpiring(term(), () -> {}), "before: " + term());
        assertIllegal(() -> lease.onExpiring(Duration.ZERO, () -> {}), "before: PT0S");
    }
}
