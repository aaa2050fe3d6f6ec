package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.NotGrantedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of leases that are kept alive by an anchor. */
interface LeasesAnchorContract extends LeasesSteps {
    @Test
    default void childrenAreHeldWhileTheAnchorIsRenewed() {
        var anchor = anchor(ann());
        var first = under(ann(), anchor, KEY);
        var second = under(ann(), anchor, Key.of("second"));

        elapse(term().multipliedBy(2));

        assertThat(anchor.isHeld()).isTrue();
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isTrue();
        assertThat(first.remaining()).isLessThanOrEqualTo(anchor.term());
        assertHeld(bob(), KEY);
        var status = status(bob());
        assertThat(status.isHeld()).isTrue();
        assertThat(status.remaining()).isPositive().isLessThanOrEqualTo(anchor.term());
    }

    @Test
    default void childrenNeedNoRenewals() {
        var anchor = anchor(ann());
        under(ann(), anchor, KEY);
        var before = status(bob()).entry();

        elapse(term().multipliedBy(2));

        assertThat(status(bob()).entry()).isEqualTo(before);
    }

    @Test
    default void aChildCanBeReleasedAndFinishedOnItsOwn() {
        var anchor = anchor(ann());
        var released = under(ann(), anchor, KEY);
        var finished = under(ann(), anchor, Key.of("second"));

        released.release();
        finished.done();

        assertThat(anchor.isHeld()).isTrue();
        assertThat(released.isHeld()).isFalse();
        acquire(bob(), KEY);
        assertDone(bob(), Key.of("second"));
    }

    @Test
    default void anAcquireUnderTheAnchorOfAnotherClientIsRefused() {
        var anchor = anchor(ann());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> bob().tryAcquire(KEY, renewed().under(anchor)))
                .withMessageStartingWith("anchor: ")
                .withMessageContaining("of the same client");
    }

    @Test
    default void anAnchorNameInUseIsNotGrantedAgain() {
        var anchor = anchor(ann());
        var second = bob().async().anchor("worker", term()).toCompletableFuture();

        elapse(term().multipliedBy(2));

        assertThat(failureOf(second)).isInstanceOf(NotGrantedException.class).hasMessageContaining("worker");
        assertThat(anchor.isHeld()).isTrue();
    }

    @Test
    default void renewingAChildByItsTokenDoesNotExtendIt() {
        var anchor = anchor(ghost());
        var child = under(ghost(), anchor, KEY);
        elapse(term().multipliedBy(9).dividedBy(10));

        assertThat(ghost().renew(KEY, child.token()).remaining()).isZero();

        Duration left = anchor.remaining();
        assertThat(left).isLessThanOrEqualTo(term().dividedBy(10));
        assertThat(child.remaining()).isLessThanOrEqualTo(left);
    }

    @Test
    default void anAnchorCannotBeDone() {
        var anchor = anchor(ann());

        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(anchor::done);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> anchor.doneAsync(AttributePatch.NONE));
        assertIllegal(() -> ann().done(WORKER, anchor.token(), AttributePatch.NONE), "key: ");

        assertThat(anchor.isHeld()).isTrue();
        anchor.close();
        assertThat(anchor(bob()).isHeld()).isTrue();
    }
}
