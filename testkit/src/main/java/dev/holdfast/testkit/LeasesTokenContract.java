package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Key;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a token can do without a {@link Lease} object, and what one that does not hold the key cannot. */
abstract class LeasesTokenContract extends LeasesGrantContract {
    @Test
    void aStaleTokenCannotReleaseFinishOrUpdate() {
        Lease lease = acquire(ann(), KEY);
        Lease taken = takeOver(bob(), KEY);

        assertThat(ann().release(KEY, lease.token())).isFalse();
        assertThat(lease.release()).isFalse();
        assertLost(() -> ann().done(KEY, lease.token(), AttributePatch.NONE), LostReason.TAKEN);
        assertLost(() -> ann().update(KEY, lease.token(), AttributePatch.putting("x", 1)), LostReason.TAKEN);
        assertLost(() -> lease.done(), LostReason.TAKEN);

        assertThat(bob().get(KEY).orElseThrow().fence()).isEqualTo(taken.fence());
        assertThat(bob().get(KEY).orElseThrow().isHeld()).isTrue();
        assertThat(bob().get(KEY).orElseThrow().attributes()).isEqualTo(Attributes.NONE);
    }

    @Test
    void aTokenThatNobodyWasGivenDoesNothing() {
        Token unknown = Token.of(UUID.randomUUID());

        assertLost(() -> ann().renew(KEY, unknown), LostReason.EVICTED);
        assertThat(ann().release(KEY, unknown)).isFalse();
        assertLost(() -> ann().done(KEY, unknown, AttributePatch.NONE), LostReason.EVICTED);
        assertLost(() -> ann().update(KEY, unknown, AttributePatch.NONE), LostReason.EVICTED);
        assertThat(ann().get(KEY)).isEmpty();
    }

    @Test
    void aDetachedLeaseIsLeftToItsToken() {
        Lease lease = acquire(ann(), KEY);

        Token token = lease.detach();
        lease.close();
        ann().close();

        assertThat(lease.isHeld()).isFalse();
        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.Held.class);
        assertThat(bob().renew(KEY, token)).isPositive();
        assertThat(bob().release(KEY, token)).isTrue();
    }

    @Test
    void aLeaseThatHasEndedCannotBeDetached() {
        Lease lost = acquire(ann(), KEY);
        Lease released = acquire(ann(), Key.of("released"));
        released.release();
        outlast();

        assertLost(() -> lost.detach(), LostReason.EXPIRED);
        assertThatIllegalStateException().isThrownBy(() -> released.detach());
    }

    @Test
    void anExpiredLeaseThatNobodyTookCanBeRenewedByItsToken() {
        Lease lease = acquire(ann(), KEY);
        outlast();

        Duration left = bob().renew(KEY, lease.token());

        assertThat(left).isPositive().isLessThanOrEqualTo(term());
        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.Held.class);
    }

    @Test
    void anExpiredLeaseThatNobodyTookCanBeFinishedUpdatedAndReleasedByItsToken() {
        Key finished = Key.of("finished");
        Key released = Key.of("released");
        Token ofFinished = acquire(ann(), finished).token();
        Token ofReleased = acquire(ann(), released).token();
        outlast();

        bob().update(finished, ofFinished, AttributePatch.putting("x", 1));
        bob().done(finished, ofFinished, AttributePatch.putting("y", 2));
        assertThat(bob().release(released, ofReleased)).isTrue();

        assertThat(bob().get(finished).orElseThrow().attributes().names()).containsExactly("x", "y");
        assertThat(bob().tryAcquire(finished, renewed())).isInstanceOf(AcquireResult.Done.class);
    }

    @Test
    void releasingTwiceByTokenIsAsGoodAsOnce() {
        Lease lease = acquire(ann(), KEY);

        assertThat(bob().release(KEY, lease.token())).isTrue();
        assertThat(bob().release(KEY, lease.token())).isTrue();
        assertThat(ann().get(KEY).orElseThrow().isHeld()).isFalse();

        Lease next = acquire(ann(), KEY);
        assertThat(bob().release(KEY, lease.token())).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(bob().get(KEY).orElseThrow().isHeld()).isTrue();
    }
}
