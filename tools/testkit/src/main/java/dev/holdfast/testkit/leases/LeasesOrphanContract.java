package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.StoreFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of the leases under an anchor when that anchor ends. */
abstract class LeasesOrphanContract extends LeasesAnchorContract {
    @Test
    void closingAnAnchorFreesItsChildrenImmediately() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        Lease first = under(ann(), anchor, KEY);
        Lease second = under(ann(), anchor, Key.of("second"));

        anchor.close();

        assertThat(first.isHeld()).isFalse();
        assertThat(second.remaining()).isZero();
        assertThat(bob().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
        assertThat(acquire(bob(), KEY).fence()).isGreaterThan(first.fence());
        acquire(bob(), Key.of("second"));
    }

    @Test
    void anExpiredAnchorIsEvictedBeforeItsChildIsTaken() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);

        Lease taken = takeOver(bob(), KEY);

        assertThat(bob().get(WORKER).orElseThrow().entry().state()).isEqualTo(LeaseState.FREE);
        assertThat(child.isHeld()).isFalse();
        assertThat(anchor.isHeld()).isFalse();
        assertThat(taken.fence()).isGreaterThan(child.fence());
        assertLost(() -> ghost().renew(WORKER, anchor.token()), LostReason.EVICTED);
    }

    @Test
    void aChildIsNotTakenWhileItsAnchorMayBeValid() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);
        boolean granted = false;
        while (!granted) {
            granted = bob().tryAcquire(KEY, unrenewed()).isGranted();
            assertThat(granted && (child.isHeld() || anchor.isHeld()))
                    .as("granted while still held")
                    .isFalse();
            elapse(term().dividedBy(20));
        }
    }

    @Test
    void aChildOfAnExpiredAnchorStaysFreeWhenTheAnchorIsAcquiredAgain() {
        needs(StoreFeature.ANCHORS);
        Anchor first = anchor(ghost());
        Lease child = under(ghost(), first, KEY);
        CompletableFuture<Anchor> again = bob().async().anchor("worker", term()).toCompletableFuture();
        outlast();
        Anchor second = soon(again);
        assertThat(second.fence()).isGreaterThan(first.fence());

        assertThat(bob().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
        assertLost(() -> bob().renew(KEY, child.token()), LostReason.EVICTED);
        acquire(bob(), KEY);
    }

    @Test
    void childrenAreNotifiedWhenTheirAnchorIsLost() {
        needs(StoreFeature.ANCHORS);
        List<LostReason> lost = Collections.synchronizedList(new ArrayList<>());
        Anchor anchor = anchor(ann());
        Lease child = under(ann(), anchor, KEY).onLost(lost::add);
        bob().evict(WORKER, "the worker hangs");

        elapse(term().dividedBy(2));

        until(() -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.EVICTED);
        assertThat(child.isHeld()).isFalse();
        assertThat(anchor.isHeld()).isFalse();
        acquire(bob(), KEY);
    }

    @Test
    void aHeldChildIsNotDeletedAndAnOrphanIs() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY);
        assertThat(bob().delete(KEY)).isInstanceOf(AcquireResult.HeldByAnother.class);

        anchor.close();

        assertThat(bob().delete(KEY)).isInstanceOf(EditResult.Changed.class);
    }

    @Test
    void aWaiterForAChildIsServedWhenItsAnchorEnds() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY);
        CompletableFuture<AcquireResult> waiting =
                bob().async().acquire(KEY, unrenewed(), Duration.ofMinutes(10)).toCompletableFuture();
        assertThat(waiting).isNotDone();

        anchor.close();

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    void anAcquireUnderALostAnchorFails() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        bob().evict(WORKER, "the worker hangs");
        assertLost(anchor::renew, LostReason.EVICTED);

        assertLost(() -> ann().tryAcquire(KEY, renewed().under(anchor)), LostReason.EVICTED);
        assertThat(failureOf(ann().async().tryAcquire(KEY, renewed().under(anchor))))
                .isInstanceOf(LeaseLostException.class);

        assertThat(bob().get(KEY).map(LeaseStatus::isHeld)).isNotEqualTo(Optional.of(true));
    }

    @Test
    void childrenAreNotifiedWhenTheirAnchorIsClosed() {
        needs(StoreFeature.ANCHORS);
        List<LostReason> lost = Collections.synchronizedList(new ArrayList<>());
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY).onLost(lost::add);
        Lease released = under(ann(), anchor, Key.of("second")).onLost(lost::add);
        released.release();

        anchor.close();
        anchor.close();

        until(() -> !lost.isEmpty());
        settleCallbacks(ann());
        assertThat(lost).containsExactly(LostReason.EVICTED);
    }

    @Test
    void anOrphanCannotBeRenewedByItsToken() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);
        bob().evict(WORKER, "the worker hangs");
        assertThat(bob().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);

        assertLost(() -> ghost().renew(KEY, child.token()), LostReason.EVICTED);

        assertThat(bob().get(KEY).orElseThrow().state()).isEqualTo(LeaseState.FREE);
    }
}
