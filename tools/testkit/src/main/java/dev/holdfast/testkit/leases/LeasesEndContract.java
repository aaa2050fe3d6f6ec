package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.EditResult;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreFeature;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of done, reopen, delete, evict and clean-up, and of fences across all of them. */
interface LeasesEndContract extends LeasesSteps {
    @Test
    default void aDoneKeyIsNotGrantedUntilItIsReopened() {
        needs(StoreFeature.DONE, StoreFeature.ATTRIBUTES);
        var lease = acquire(ann(), KEY);
        lease.done(AttributePatch.putting("rows", 7));

        var refused = assertDone(bob(), KEY);
        assertThat(refused.key()).isEqualTo(KEY);
        assertThatExceptionOfType(NotGrantedException.class).isThrownBy(refused::orThrow);
        outlast();
        assertDone(bob(), KEY);

        assertThat(bob().reopen(KEY)).isInstanceOf(EditResult.Changed.class);
        assertThat(acquire(bob(), KEY).attributes()).isEqualTo(Attributes.NONE.with("rows", 7));
    }

    @Test
    default void aDoneLeaseHasEndedAndIsNotReportedAsLost() {
        needs(StoreFeature.DONE);
        var lease = acquire(ann(), KEY);
        var lost = lossesOf(lease);

        lease.done();

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatIllegalStateException().isThrownBy(lease::checkHeld);
        lease.close();
        settleCallbacks(ann());
        assertThat(lost).isEmpty();
        var status = status(ann());
        assertThat(status.state()).isEqualTo(LeaseState.DONE);
        assertThat(status.entry().doneAt()).isNotNull();
    }

    @Test
    default void doneMayBeRepeatedButOnlyWithTheSameToken() {
        needs(StoreFeature.DONE);
        var lease = acquire(ann(), KEY);
        lease.done();

        ann().done(KEY, lease.token(), AttributePatch.NONE);
        assertLost(() -> ann().done(KEY, unknownToken(), AttributePatch.NONE), LostReason.TAKEN);
        assertLost(() -> ann().renew(KEY, lease.token()), LostReason.EVICTED);
        assertLost(() -> ann().update(KEY, lease.token(), AttributePatch.NONE), LostReason.EVICTED);
        assertThat(ann().release(KEY, lease.token())).isFalse();

        assertThat(status(ann()).state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    default void reopeningNeedsADoneKey() {
        needs(StoreFeature.DONE);
        assertThat(ann().reopen(KEY)).isInstanceOf(EditResult.Unchanged.class);
        assertThat(ann().get(KEY)).isEmpty();

        var lease = acquire(ann(), KEY);
        var held = assertHeld(bob().reopen(KEY));
        assertThat(held.holder()).isEqualTo(Holder.of("ann"));
        assertThat(held.fence()).isEqualTo(lease.fence());

        lease.close();
        assertThat(bob().reopen(KEY)).isInstanceOf(EditResult.Unchanged.class);
    }

    @Test
    default void deletingAHeldKeyNeedsItsToken() {
        var lease = acquire(ann(), KEY);

        assertHeld(bob().delete(KEY));
        assertHeld(bob().delete(KEY, unknownToken()));
        assertThat(status(bob()).isHeld()).isTrue();

        assertThat(bob().delete(KEY, lease.token())).isInstanceOf(EditResult.Changed.class);
        assertThat(isHeld(bob())).isFalse();
        assertLost(lease::renew, LostReason.EVICTED);
    }

    @Test
    default void deletingKeepsOnlyTheFence() {
        needs(StoreFeature.DONE, StoreFeature.ATTRIBUTES, StoreFeature.FENCE_OF_DELETED);
        var lease = ann().tryAcquire(KEY, unrenewed().attributes(Attributes.of("x", "1")))
                .orThrow();
        lease.done();

        assertThat(bob().delete(KEY)).isInstanceOf(EditResult.Changed.class);
        assertThat(bob().delete(KEY)).isInstanceOf(EditResult.Unchanged.class);

        var next = acquire(bob(), KEY);
        assertThat(next.attributes()).isEqualTo(Attributes.NONE);
        assertThat(next.fence()).isGreaterThan(lease.fence());
        assertThat(status(bob()).entry().grants()).isEqualTo(1);
    }

    @Test
    default void deletingAMissingKeyChangesNothing() {
        assertThat(ann().delete(KEY)).isInstanceOf(EditResult.Unchanged.class);
    }

    @Test
    default void fencesGrowHoweverAGrantEnds() {
        needs(StoreFeature.FENCE);
        List<Fence> fences = new ArrayList<>();
        var lease = acquire(ann(), KEY);
        fences.add(lease.fence());
        lease.release();

        lease = acquire(bob(), KEY);
        fences.add(lease.fence());
        if (has(StoreFeature.DONE)) {
            lease.done();
            ann().reopen(KEY);
        } else {
            lease.close();
        }

        lease = acquire(ann(), KEY);
        fences.add(lease.fence());
        bob().evict(KEY, "fences must grow");

        lease = acquire(bob(), KEY);
        fences.add(lease.fence());
        if (has(StoreFeature.FENCE_OF_DELETED)) {
            ann().delete(KEY, lease.token());
        } else {
            lease.close();
        }

        fences.add(acquire(ann(), KEY).fence());
        fences.add(takeOver(bob(), KEY).fence());

        assertThat(fences).isSorted().doesNotHaveDuplicates().hasSize(6);
    }

    @Test
    default void anEvictedHolderIsNotifiedWhenItRenews() {
        var lease = acquire(ann(), KEY);
        var lost = lossesOf(lease);

        assertThat(bob().evict(KEY, "it hangs")).isInstanceOf(EditResult.Changed.class);

        assertThat(lease.isHeld()).as("held until it is notified").isTrue();
        assertLost(lease::renew, LostReason.EVICTED);
        assertThat(lease.isHeld()).isFalse();
        assertLost(lease::checkHeld, LostReason.EVICTED);
        until(() -> !lost.isEmpty());
        settleCallbacks(ann());
        assertThat(lost).containsExactly(LostReason.EVICTED);
    }

    @Test
    default void anEvictedKeyIsFreeImmediately() {
        acquire(ann(), KEY);
        bob().evict(KEY, "it hangs");

        assertThat(status(bob()).state()).isEqualTo(LeaseState.FREE);
        acquire(bob(), KEY);
    }

    @Test
    default void evictingAKeyThatIsNotHeldChangesNothing() {
        assertThat(ann().evict(KEY, "not there")).isInstanceOf(EditResult.Unchanged.class);
        acquire(ann(), KEY).close();
        assertThat(ann().evict(KEY, "free")).isInstanceOf(EditResult.Unchanged.class);
        needs(StoreFeature.DONE);
        acquire(ann(), KEY).done();
        assertThat(ann().evict(KEY, "done")).isInstanceOf(EditResult.Unchanged.class);
        assertThat(status(ann()).state()).isEqualTo(LeaseState.DONE);
    }

    @Test
    default void recentEntriesAreNotCleanedUp() {
        needs(StoreFeature.CLEAN_UP);
        acquire(ann(), KEY).close();

        assertThat(ann().cleanUp(CleanUpOptions.idle(100))).isZero();

        assertThat(ann().get(KEY)).isPresent();
    }
}
