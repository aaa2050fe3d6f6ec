package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of leases that are kept alive by an anchor. */
abstract class LeasesAnchorContract extends LeasesValidityContract {
    static final Key WORKER = Key.ofAnchor(Holder.of("worker"));

    final Anchor anchor(Leases client) {
        return soon(client.async().anchor("worker", term()));
    }

    final Lease under(Leases client, Anchor anchor, Key key) {
        return client.tryAcquire(key, renewed().under(anchor)).orThrow();
    }

    @Test
    void childrenAreHeldWhileTheAnchorIsRenewed() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        Lease first = under(ann(), anchor, KEY);
        Lease second = under(ann(), anchor, Key.of("second"));

        elapse(term().multipliedBy(2));

        assertThat(anchor.isHeld()).isTrue();
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isTrue();
        assertThat(first.remaining()).isLessThanOrEqualTo(anchor.term());
        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.HeldByAnother.class);
        LeaseStatus status = bob().get(KEY).orElseThrow();
        assertThat(status.isHeld()).isTrue();
        assertThat(status.remaining())
                .isPositive()
                .isLessThanOrEqualTo(anchor.term());
    }

    @Test
    void childrenNeedNoRenewals() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        under(ann(), anchor, KEY);
        Entry before = bob().get(KEY).orElseThrow().entry();

        elapse(term().multipliedBy(2));

        assertThat(bob().get(KEY).orElseThrow().entry()).isEqualTo(before);
    }

    @Test
    void aChildCanBeReleasedAndFinishedOnItsOwn() {
        needs(StoreFeature.ANCHORS);
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
    void anAcquireUnderTheAnchorOfAnotherClientIsRefused() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> bob().tryAcquire(KEY, renewed().under(anchor)))
                .withMessageStartingWith("anchor: ")
                .withMessageContaining("of the same client");
    }

    @Test
    void anAnchorNameInUseIsNotGrantedAgain() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());
        CompletableFuture<Anchor> second =
                bob().async().anchor("worker", term()).toCompletableFuture();

        elapse(term().multipliedBy(2));

        assertThat(failureOf(second)).isInstanceOf(NotGrantedException.class).hasMessageContaining("worker");
        assertThat(anchor.isHeld()).isTrue();
    }

    @Test
    void renewingAChildByItsTokenDoesNotExtendIt() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ghost());
        Lease child = under(ghost(), anchor, KEY);
        elapse(term().multipliedBy(9).dividedBy(10));

        assertThat(ghost().renew(KEY, child.token()).remaining()).isZero();

        Duration left = anchor.remaining();
        assertThat(left).isLessThanOrEqualTo(term().dividedBy(10));
        assertThat(child.remaining()).isLessThanOrEqualTo(left);
    }

    @Test
    void anAnchorCannotBeDone() {
        needs(StoreFeature.ANCHORS);
        Anchor anchor = anchor(ann());

        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(anchor::done);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> anchor.doneAsync(AttributePatch.NONE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ann().done(WORKER, anchor.token(), AttributePatch.NONE))
                .withMessageStartingWith("key: ");

        assertThat(anchor.isHeld()).isTrue();
        anchor.close();
        assertThat(anchor(bob()).isHeld()).isTrue();
    }
}
