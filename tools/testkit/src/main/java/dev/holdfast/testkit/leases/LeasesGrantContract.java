package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreFeature;
import dev.holdfast.testkit.ThreadCrowd;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of grants and refusals, and of leases that have ended. */
abstract class LeasesGrantContract extends LeasesContractBase {
    @Test
    void aHeldKeyIsRefusedWithItsHolderAndTheTimeLeft() {
        Lease lease = acquire(ann(), KEY);

        AcquireResult refused = bob().tryAcquire(KEY, renewed());

        assertThat(refused.isGranted()).isFalse();
        assertThat(refused.granted()).isEmpty();
        AcquireResult.HeldByAnother held = (AcquireResult.HeldByAnother) refused;
        assertThat(held.key()).isEqualTo(KEY);
        assertThat(held.holder()).isEqualTo(Holder.of("ann"));
        assertThat(held.fence()).isEqualTo(fenceOf(lease));
        assertThat(held.remaining()).isPositive().isLessThanOrEqualTo(longestLeft());
        assertThatExceptionOfType(NotGrantedException.class)
                .isThrownBy(refused::orThrow)
                .satisfies(e -> assertThat(e.key()).contains(KEY))
                .withMessageContaining("ann");
    }

    @Test
    void aHeldKeyIsRefusedToItsOwnHolderToo() {
        acquire(ann(), KEY);

        assertThat(ann().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.HeldByAnother.class);
    }

    @Test
    void aLostLeaseCannotBeRenewed() {
        Lease lease = acquire(ann(), KEY);
        takeOver(bob(), KEY);

        assertLost(lease::renew, null);
        assertLost(() -> ann().renew(KEY, lease.token()), LostReason.TAKEN);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aReleasedLeaseIsNotHeldAndCannotBeRenewed() {
        Lease lease = acquire(ann(), KEY);

        assertThat(lease.release()).isTrue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertLost(() -> ann().renew(KEY, lease.token()), LostReason.EVICTED);
        if (has(StoreFeature.DONE)) {
            assertLost(() -> ann().done(KEY, lease.token(), AttributePatch.NONE), LostReason.EVICTED);
        }
        assertThat(ann().get(KEY).orElseThrow().isHeld()).isFalse();
        acquire(bob(), KEY);
    }

    @Test
    void releasingAndClosingTwiceIsHarmless() {
        Lease lease = acquire(ann(), KEY);
        lease.close();
        Lease next = acquire(bob(), KEY);

        lease.close();
        lease.release();
        ann().release(KEY, lease.token());

        assertThat(next.isHeld()).isTrue();
        assertThat(ann().get(KEY).orElseThrow().fence()).isEqualTo(fenceOf(next));
        assertThat(ann().get(KEY).orElseThrow().isHeld()).isTrue();
    }

    @Test
    void anExpiredLeaseStaysLostAfterARenewalByToken() {
        Lease lease = acquire(ann(), KEY);
        elapse(term());
        assertThat(lease.isHeld()).isFalse();

        ann().renew(KEY, lease.token());

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertLost(lease::renew, LostReason.EXPIRED);
        assertLost(lease::checkHeld, LostReason.EXPIRED);
    }

    @Test
    void anExpiredLeaseCanBeUpdatedAndFinishedUntilTheKeyIsGrantedAgain() {
        needs(StoreFeature.ATTRIBUTES, StoreFeature.DONE);
        Lease lease = acquire(ann(), KEY);
        elapse(term());
        assertThat(lease.isHeld()).isFalse();

        lease.update(AttributePatch.putting("x", 1));
        assertThat(bob().get(KEY).orElseThrow().attributes()).isEqualTo(Attributes.NONE.with("x", 1));
        assertThat(lease.isHeld()).isFalse();
        lease.done();

        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    void aKeyIsNotGrantedWhileTheLeaseOfItsHolderMayBeValid() {
        Lease lease = acquire(ann(), KEY);
        boolean granted = false;
        while (!granted) {
            granted = bob().tryAcquire(KEY, unrenewed()).isGranted();
            assertThat(granted && lease.isHeld()).as("granted while still held").isFalse();
            elapse(term().dividedBy(20));
        }
    }

    @Test
    void anExpiredLeaseIsTakenOverWithALargerFence() {
        Lease lease = acquire(ann(), KEY);

        Lease taken = takeOver(bob(), KEY);

        assertThat(taken.isHeld()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        if (has(StoreFeature.FENCE)) {
            assertThat(taken.fence()).isGreaterThan(lease.fence());
        }
        assertThat(taken.token()).isNotEqualTo(lease.token());
    }

    @Test
    void updatingAttributesDoesNotExtendTheLease() {
        needs(StoreFeature.ATTRIBUTES);
        Lease lease = acquire(ann(), KEY);
        Duration left = lease.remaining();
        bob().get(KEY);
        elapse(term().dividedBy(2));

        lease.update(AttributePatch.putting("status", "busy"));

        assertThat(lease.attributes()).isEqualTo(Attributes.of("status", "busy"));
        assertThat(lease.remaining()).isLessThanOrEqualTo(left.minus(term().dividedBy(2)));
        assertThat(bob().get(KEY).orElseThrow().remaining())
                .isLessThan(patience().minus(term().dividedBy(3)));
        assertThat(bob().get(KEY).orElseThrow().attributes()).isEqualTo(lease.attributes());
    }

    @Test
    void theAttributesOfAGrantAreMergedOverTheAttributesOfTheKey() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes first = Attributes.of("kept", "1").with("replaced", "1");
        ann().tryAcquire(KEY, unrenewed().attributes(first)).orThrow().close();

        Lease lease = ann().tryAcquire(KEY, unrenewed().attributes(Attributes.of("replaced", AttributeValue.of(2))))
                .orThrow();

        assertThat(lease.attributes()).isEqualTo(Attributes.of("kept", "1").with("replaced", 2));
        assertThat(bob().get(KEY).orElseThrow().attributes()).isEqualTo(lease.attributes());
    }

    @Test
    void aLeaseReportsItsKeyHolderAndTerm() {
        Lease lease = ann().tryAcquire(KEY, unrenewed().holder("ann's friend")).orThrow();

        assertThat(lease.key()).isEqualTo(KEY);
        assertThat(lease.holder()).isEqualTo(Holder.of("ann's friend"));
        assertThat(lease.term()).isEqualTo(term());
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(term());
        assertThat(bob().get(KEY).orElseThrow().holder()).contains(lease.holder());
    }

    @Test
    void thirtyTwoThreadsHaveOneWinner() throws Exception {
        List<Leases> clients = List.of(ann(), bob());

        List<AcquireResult> results =
                ThreadCrowd.of(32, number -> clients.get(number % 2).tryAcquire(KEY, unrenewed()));

        assertThat(results).filteredOn(AcquireResult::isGranted).hasSize(1);
        assertThat(results)
                .filteredOn(result -> !result.isGranted())
                .allMatch(result -> result instanceof AcquireResult.HeldByAnother);
    }

    /** @param reason the expected reason; null for any */
    static void assertLost(ThrowingCallable call, @Nullable LostReason reason) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.key()).isPresent())
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason == null ? e.reason() : reason));
    }
}
