package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.LostReason;
import dev.holdfast.StoreFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Tests of the leases under an anchor when that anchor ends. */
interface LeasesOrphanContract extends LeasesSteps {
    @Test
    default void closingAnAnchorFreesItsChildrenImmediately() {
        var anchor = anchor(ann());
        var first = under(ann(), anchor, KEY);
        var second = under(ann(), anchor, Key.of("second"));

        anchor.close();

        assertThat(first.isHeld()).isFalse();
        assertThat(second.remaining()).isZero();
        assertThat(status(bob()).state()).isEqualTo(LeaseState.FREE);
        assertThat(acquire(bob(), KEY).fence()).isGreaterThan(first.fence());
        acquire(bob(), Key.of("second"));
    }

    @Test
    default void anExpiredAnchorIsEvictedBeforeItsChildIsTaken() {
        var anchor = anchor(ghost());
        var child = under(ghost(), anchor, KEY);

        var taken = takeOver(bob(), KEY);

        assertThat(bob().get(WORKER).orElseThrow().entry().state()).isEqualTo(LeaseState.FREE);
        assertThat(child.isHeld()).isFalse();
        assertThat(anchor.isHeld()).isFalse();
        assertThat(taken.fence()).isGreaterThan(child.fence());
        assertLost(() -> ghost().renew(WORKER, anchor.token()), LostReason.EVICTED);
    }

    @Test
    default void aChildIsNotTakenWhileItsAnchorMayBeValid() {
        var anchor = anchor(ghost());
        var child = under(ghost(), anchor, KEY);
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
    default void aChildOfAnExpiredAnchorStaysFreeWhenTheAnchorIsAcquiredAgain() {
        var first = anchor(ghost());
        var child = under(ghost(), first, KEY);
        var again = bob().async().anchor("worker", term()).toCompletableFuture();
        outlast();
        var second = soon(again);
        assertThat(second.fence()).isGreaterThan(first.fence());

        assertThat(status(bob()).state()).isEqualTo(LeaseState.FREE);
        assertLost(() -> bob().renew(KEY, child.token()), LostReason.EVICTED);
        acquire(bob(), KEY);
    }

    @Test
    default void childrenAreNotifiedWhenTheirAnchorIsLost() {
        needs(StoreFeature.ANCHORS);
        var lost = Collections.synchronizedList(new ArrayList<>());
        var anchor = anchor(ann());
        var child = under(ann(), anchor, KEY).onLost(lost::add);
        bob().evict(WORKER, "the worker hangs");

        elapse(term().dividedBy(2));

        until(() -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.EVICTED);
        assertThat(child.isHeld()).isFalse();
        assertThat(anchor.isHeld()).isFalse();
        acquire(bob(), KEY);
    }

    @Test
    default void aHeldChildIsNotDeletedAndAnOrphanIs() {
        var anchor = anchor(ann());
        under(ann(), anchor, KEY);
        assertHeld(bob().delete(KEY));

        anchor.close();

        assertThat(bob().delete(KEY)).isInstanceOf(EditResult.Changed.class);
    }

    @Test
    default void aWaiterForAChildIsServedWhenItsAnchorEnds() {
        var anchor = anchor(ann());
        under(ann(), anchor, KEY);
        var waiting =
                bob().async().acquire(KEY, unrenewed(), Duration.ofMinutes(10)).toCompletableFuture();
        assertThat(waiting).isNotDone();

        anchor.close();

        assertThat(soon(waiting).isGranted()).isTrue();
    }

    @Test
    default void anAcquireUnderALostAnchorFails() {
        var anchor = anchor(ann());
        bob().evict(WORKER, "the worker hangs");
        assertLost(anchor::renew, LostReason.EVICTED);

        assertLost(() -> ann().tryAcquire(KEY, renewed().under(anchor)), LostReason.EVICTED);
        assertLost(ann().async().tryAcquire(KEY, renewed().under(anchor)));

        assertThat(isHeld(bob())).isFalse();
    }

    @Test
    default void childrenAreNotifiedWhenTheirAnchorIsClosed() {
        needs(StoreFeature.ANCHORS);
        var lost = Collections.synchronizedList(new ArrayList<>());
        var anchor = anchor(ann());
        under(ann(), anchor, KEY).onLost(lost::add);
        var released = under(ann(), anchor, Key.of("second")).onLost(lost::add);
        released.release();

        anchor.close();
        anchor.close();

        until(() -> !lost.isEmpty());
        settleCallbacks(ann());
        assertThat(lost).containsExactly(LostReason.EVICTED);
    }

    @Test
    default void anOrphanCannotBeRenewedByItsToken() {
        var anchor = anchor(ghost());
        var child = under(ghost(), anchor, KEY);
        bob().evict(WORKER, "the worker hangs");
        assertThat(status(bob()).state()).isEqualTo(LeaseState.FREE);

        assertLost(() -> ghost().renew(KEY, child.token()), LostReason.EVICTED);

        assertThat(status(bob()).state()).isEqualTo(LeaseState.FREE);
    }
}
