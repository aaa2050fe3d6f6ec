package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Holder;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreFeature;
import dev.holdfast.testkit.ThreadCrowd;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of grants and refusals, and of leases that have ended. */
interface LeasesGrantContract extends LeasesSteps {
    @Test
    default void aHeldKeyIsRefusedWithItsHolderAndTheTimeLeft() {
        var lease = acquire(ann(), KEY);

        var refused = bob().tryAcquire(KEY, renewed());

        assertThat(refused.isGranted()).isFalse();
        assertThat(refused.granted()).isEmpty();
        var held = assertHeld(refused);
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
    default void aHeldKeyIsRefusedToItsOwnHolderToo() {
        acquire(ann(), KEY);

        assertHeld(ann(), KEY);
    }

    @Test
    default void aLostLeaseCannotBeRenewed() {
        var lease = acquire(ann(), KEY);
        takeOver(bob(), KEY);

        assertLost(lease::renew, null);
        assertLost(() -> ann().renew(KEY, lease.token()), LostReason.TAKEN);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    default void aReleasedLeaseIsNotHeldAndCannotBeRenewed() {
        var lease = acquire(ann(), KEY);

        assertThat(lease.release()).isTrue();

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertLost(() -> ann().renew(KEY, lease.token()), LostReason.EVICTED);
        if (has(StoreFeature.DONE)) {
            assertLost(() -> ann().done(KEY, lease.token(), AttributePatch.NONE), LostReason.EVICTED);
        }
        assertThat(status(ann()).isHeld()).isFalse();
        acquire(bob(), KEY);
    }

    @Test
    default void releasingAndClosingTwiceIsHarmless() {
        var lease = acquire(ann(), KEY);
        lease.close();
        var next = acquire(bob(), KEY);

        lease.close();
        lease.release();
        ann().release(KEY, lease.token());

        assertThat(next.isHeld()).isTrue();
        assertThat(status(ann()).fence()).isEqualTo(fenceOf(next));
        assertThat(status(ann()).isHeld()).isTrue();
    }

    @Test
    default void anExpiredLeaseStaysLostAfterARenewalByToken() {
        var lease = acquire(ann(), KEY);
        elapse(term());
        assertThat(lease.isHeld()).isFalse();

        ann().renew(KEY, lease.token());

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertLost(lease::renew, LostReason.EXPIRED);
        assertLost(lease::checkHeld, LostReason.EXPIRED);
    }

    @Test
    default void anExpiredLeaseCanBeUpdatedAndFinishedUntilTheKeyIsGrantedAgain() {
        needs(StoreFeature.ATTRIBUTES, StoreFeature.DONE);
        var lease = acquire(ann(), KEY);
        elapse(term());
        assertThat(lease.isHeld()).isFalse();

        lease.update(AttributePatch.putting("x", 1));
        assertThat(status(bob()).attributes()).isEqualTo(Attributes.NONE.with("x", 1));
        assertThat(lease.isHeld()).isFalse();
        lease.done();

        assertDone(bob(), KEY);
    }

    @Test
    default void aKeyIsNotGrantedWhileTheLeaseOfItsHolderMayBeValid() {
        var lease = acquire(ann(), KEY);
        boolean granted = false;
        while (!granted) {
            granted = bob().tryAcquire(KEY, unrenewed()).isGranted();
            assertThat(granted && lease.isHeld()).as("granted while still held").isFalse();
            elapse(term().dividedBy(20));
        }
    }

    @Test
    default void anExpiredLeaseIsTakenOverWithALargerFence() {
        var lease = acquire(ann(), KEY);

        var taken = takeOver(bob(), KEY);

        assertThat(taken.isHeld()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        if (has(StoreFeature.FENCE)) {
            assertThat(taken.fence()).isGreaterThan(lease.fence());
        }
        assertThat(taken.token()).isNotEqualTo(lease.token());
    }

    @Test
    default void updatingAttributesDoesNotExtendTheLease() {
        needs(StoreFeature.ATTRIBUTES);
        var lease = acquire(ann(), KEY);
        Duration left = lease.remaining();
        bob().get(KEY);
        elapse(term().dividedBy(2));

        lease.update(AttributePatch.putting("status", "busy"));

        assertThat(lease.attributes()).isEqualTo(Attributes.of("status", "busy"));
        assertThat(lease.remaining()).isLessThanOrEqualTo(left.minus(term().dividedBy(2)));
        assertThat(status(bob()).remaining()).isLessThan(patience().minus(term().dividedBy(3)));
        assertThat(status(bob()).attributes()).isEqualTo(lease.attributes());
    }

    @Test
    default void theAttributesOfAGrantAreMergedOverTheAttributesOfTheKey() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes first = Attributes.of("kept", "1").with("replaced", "1");
        ann().tryAcquire(KEY, unrenewed().attributes(first)).orThrow().close();

        var lease = ann().tryAcquire(KEY, unrenewed().attributes(Attributes.NONE.with("replaced", 2)))
                .orThrow();

        assertThat(lease.attributes()).isEqualTo(Attributes.of("kept", "1").with("replaced", 2));
        assertThat(status(bob()).attributes()).isEqualTo(lease.attributes());
    }

    @Test
    default void aLeaseReportsItsKeyHolderAndTerm() {
        var lease = ann().tryAcquire(KEY, unrenewed().holder("ann's friend")).orThrow();

        assertThat(lease.key()).isEqualTo(KEY);
        assertThat(lease.holder()).isEqualTo(Holder.of("ann's friend"));
        assertThat(lease.term()).isEqualTo(term());
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(term());
        assertThat(status(bob()).holder()).contains(lease.holder());
    }

    @Test
    default void thirtyTwoThreadsHaveOneWinner() throws Exception {
        var clients = List.of(ann(), bob());

        var results = ThreadCrowd.of(32, number -> clients.get(number % 2).tryAcquire(KEY, unrenewed()));

        assertThat(results).filteredOn(result -> result.isGranted()).hasSize(1);
        assertThat(results).filteredOn(result -> !result.isGranted()).allSatisfy(result -> assertHeld(result));
    }
}
