package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.EditResult;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Holder;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases that one lease keeps alive. */
abstract class LeasesAnchorContract extends LeasesBeliefContract {
    private static final Key WORKER = Key.ofAnchor(Holder.of("worker"));

    private Anchor anchor(Leases client) {
        return soon(client.async().anchor("worker", term()));
    }

    private Lease under(Leases client, Anchor anchor, Key key) {
        return client.tryAcquire(key, renewed().under(anchor)).orThrow();
    }

    @Test
    void childrenAreHeldWhileTheAnchorBeats() {
        Anchor anchor = anchor(ann());
        Lease first = under(ann(), anchor, KEY);
        Lease second = under(ann(), anchor, Key.of("second"));

        elapse(term().multipliedBy(2));

        assertThat(anchor.isHeld()).isTrue();
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isTrue();
        assertThat(first.remaining()).isLessThanOrEqualTo(anchor.term().duration());
        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.Held.class);
        LeaseStatus status = bob().get(KEY).orElseThrow();
        assertThat(status.isHeld()).isTrue();
        assertThat(status.remaining()).isPositive().isLessThanOrEqualTo(patience());
    }

    @Test
    void childrenCostNoRenewals() {
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY);
        Entry before = bob().get(KEY).orElseThrow().entry();

        elapse(term().multipliedBy(2));

        assertThat(bob().get(KEY).orElseThrow().entry()).isEqualTo(before);
    }

    @Test
    void closingTheAnchorEndsItsChildrenAndFreesThemForOthersAtOnce() {
        Anchor anchor = anchor(ann());
        Lease first = under(ann(), anchor, KEY);
        Lease second = under(ann(), anchor, Key.of("second"));

        anchor.close();

        assertThat(first.isHeld()).isFalse();
        assertThat(second.remaining()).isZero();
        assertThat(bob().get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
        assertThat(acquire(bob(), KEY).fence()).isGreaterThan(first.fence());
        acquire(bob(), Key.of("second"));
    }

    @Test
    void aDeadAnchorIsEvictedBeforeItsChildIsTaken() {
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);

        Lease taken = takeOver(bob(), KEY);

        assertThat(bob().get(WORKER).orElseThrow().entry().state()).isEqualTo(State.FREE);
        assertThat(child.isHeld()).isFalse();
        assertThat(anchor.isHeld()).isFalse();
        assertThat(taken.fence()).isGreaterThan(child.fence());
        assertLost(() -> ghost().renew(WORKER, anchor.token()), LostReason.EVICTED);
    }

    @Test
    void aChildIsNotTakenWhileItsAnchorMayBelieve() {
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);
        boolean granted = false;
        while (!granted) {
            granted = bob().tryAcquire(KEY, unrenewed()).isGranted();
            assertThat(granted && (child.isHeld() || anchor.isHeld()))
                    .as("both believe")
                    .isFalse();
            elapse(term().dividedBy(20));
        }
    }

    @Test
    void aChildOfADeadGrantStaysDeadThoughTheAnchorComesBack() {
        Anchor first = anchor(ghost());
        Lease child = under(ghost(), first, KEY);
        CompletableFuture<Anchor> again = bob().async().anchor("worker", term()).toCompletableFuture();
        outlast();
        Anchor second = soon(again);
        assertThat(second.fence()).isGreaterThan(first.fence());

        assertThat(bob().get(KEY).orElseThrow().state()).isEqualTo(State.FREE);
        assertLost(() -> bob().renew(KEY, child.token()), LostReason.EVICTED);
        acquire(bob(), KEY);
    }

    @Test
    void childrenAreToldWhenTheirAnchorIsLost() {
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
    void aChildCanBeReleasedAndFinishedOnItsOwn() {
        Anchor anchor = anchor(ann());
        Lease released = under(ann(), anchor, KEY);
        Lease finished = under(ann(), anchor, Key.of("second"));

        released.release();
        finished.done();

        assertThat(anchor.isHeld()).isTrue();
        assertThat(released.isHeld()).isFalse();
        acquire(bob(), KEY);
        assertThat(bob().tryAcquire(Key.of("second"), renewed())).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    void renewingAChildByItsTokenPromisesNoMoreThanItsAnchorHas() {
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);
        elapse(term().dividedBy(2));

        Duration left = ghost().renew(KEY, child.token());

        assertThat(left).isLessThanOrEqualTo(term().dividedBy(2));
    }

    @Test
    void nothingIsAcquiredUnderALostAnchor() {
        Anchor anchor = anchor(ann());
        bob().evict(WORKER, "the worker hangs");
        assertLost(anchor::renew, LostReason.EVICTED);

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> ann().tryAcquire(KEY, renewed().under(anchor)));

        assertThat(bob().get(KEY).map(LeaseStatus::isHeld)).isNotEqualTo(Optional.of(true));
    }

    @Test
    void nothingIsAcquiredUnderTheAnchorOfAnotherClient() {
        Anchor anchor = anchor(ann());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> bob().tryAcquire(KEY, renewed().under(anchor)))
                .withMessageStartingWith("anchor: ")
                .withMessageContaining("of the same client");
    }

    @Test
    void anAnchorWhoseNameIsInUseIsNotGranted() {
        Anchor anchor = anchor(ann());
        CompletableFuture<Anchor> second =
                bob().async().anchor("worker", term()).toCompletableFuture();

        elapse(term().multipliedBy(2));

        assertThat(failureOf(second)).isInstanceOf(NotGrantedException.class).hasMessageContaining("worker");
        assertThat(anchor.isHeld()).isTrue();
    }

    @Test
    void aHeldChildIsNotDeletedAndAnOrphanIs() {
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY);
        assertThat(bob().delete(KEY)).isInstanceOf(EditResult.Held.class);

        anchor.close();

        assertThat(bob().delete(KEY)).isInstanceOf(EditResult.Changed.class);
    }

    @Test
    void whoWaitsForAChildIsServedWhenItsAnchorEnds() {
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY);
        CompletableFuture<AcquireResult> waiting =
                bob().async().acquire(KEY, unrenewed(), Duration.ofMinutes(10)).toCompletableFuture();
        assertThat(waiting).isNotDone();

        anchor.close();

        assertThat(soon(waiting).isGranted()).isTrue();
    }
}
