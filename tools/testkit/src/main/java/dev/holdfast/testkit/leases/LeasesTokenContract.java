package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.LostReason;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreFeature;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests of calls with a token instead of a {@code Lease} object, and of tokens that do not hold the key. */
interface LeasesTokenContract extends LeasesSteps {
    @Test
    default void aStaleTokenCannotReleaseFinishOrUpdate() {
        var lease = acquire(ann(), KEY);
        var taken = takeOver(bob(), KEY);

        assertThat(ann().release(KEY, lease.token())).isFalse();
        assertThat(lease.release()).isFalse();
        assertThat(lease.releaseTo("dan")).isFalse();
        if (has(StoreFeature.ATTRIBUTES)) {
            assertLost(() -> ann().update(KEY, lease.token(), AttributePatch.putting("x", 1)), LostReason.TAKEN);
        }
        if (has(StoreFeature.DONE)) {
            assertLost(() -> ann().done(KEY, lease.token(), AttributePatch.NONE), LostReason.TAKEN);
            assertLost(() -> lease.done(), LostReason.TAKEN);
        }

        assertThat(status(bob()).fence()).isEqualTo(fenceOf(taken));
        assertThat(status(bob()).isHeld()).isTrue();
        assertThat(status(bob()).attributes()).isEqualTo(Attributes.NONE);
    }

    @Test
    default void anUnknownTokenHasNoEffect() {
        var unknown = unknownToken();

        assertLost(() -> ann().renew(KEY, unknown), LostReason.EVICTED);
        assertThat(ann().release(KEY, unknown)).isFalse();
        if (has(StoreFeature.DONE)) {
            assertLost(() -> ann().done(KEY, unknown, AttributePatch.NONE), LostReason.EVICTED);
        }
        if (has(StoreFeature.ATTRIBUTES)) {
            assertLost(() -> ann().update(KEY, unknown, AttributePatch.NONE), LostReason.EVICTED);
        }
        assertThat(ann().get(KEY)).isEmpty();
    }

    @Test
    default void aDetachedLeaseIsControlledByItsTokenAlone() {
        var lease = acquire(ann(), KEY);

        var token = lease.detach();
        lease.close();
        ann().close();

        assertThat(lease.isHeld()).isFalse();
        assertHeld(bob(), KEY);
        var renewed = bob().renew(KEY, token);
        assertThat(renewed.remaining()).isPositive();
        assertThat(renewed.token().equals(token)).isEqualTo(has(StoreFeature.LASTING_TOKEN));
        assertThat(bob().release(KEY, renewed.token())).isTrue();
    }

    @Test
    default void aRenewalByTokenMayChangeTheTerm() {
        var token = acquire(ann(), KEY).detach();
        Duration shorter = Duration.ofMillis(term().toMillis() * 3 / 4);

        var renewed = bob().renew(KEY, token, RenewOptions.defaults().term(shorter));

        assertThat(renewed.remaining()).isPositive().isLessThanOrEqualTo(shorter);
        var grant = Objects.requireNonNull(status(ann()).entry().grant());
        assertThat(grant.term().duration()).isEqualTo(shorter);
    }

    @Test
    default void aLeaseThatHasEndedCannotBeDetached() {
        var lost = acquire(ann(), KEY);
        var released = acquire(ann(), Key.of("released"));
        released.release();
        outlast();

        assertLost(() -> lost.detach(), LostReason.EXPIRED);
        assertThatIllegalStateException().isThrownBy(() -> released.detach());
    }

    @Test
    default void anExpiredLeaseThatWasNotTakenCanBeRenewedByItsToken() {
        var lease = acquire(ann(), KEY);
        outlast();

        Duration left = bob().renew(KEY, lease.token()).remaining();

        assertThat(left).isPositive().isLessThanOrEqualTo(term());
        assertHeld(bob(), KEY);
    }

    @Test
    default void anExpiredLeaseThatWasNotTakenCanBeFinishedUpdatedAndReleasedByItsToken() {
        needs(StoreFeature.ATTRIBUTES, StoreFeature.DONE);
        Key finished = Key.of("finished");
        Key released = Key.of("released");
        var ofFinished = acquire(ann(), finished).token();
        var ofReleased = acquire(ann(), released).token();
        outlast();

        bob().update(finished, ofFinished, AttributePatch.putting("x", 1));
        bob().done(finished, ofFinished, AttributePatch.putting("y", 2));
        assertThat(bob().release(released, ofReleased)).isTrue();

        assertThat(bob().get(finished).orElseThrow().attributes().names()).containsExactly("x", "y");
        assertDone(bob(), finished);
    }

    @Test
    default void releasingTwiceByTokenIsHarmless() {
        var lease = acquire(ann(), KEY);

        assertThat(bob().release(KEY, lease.token())).isTrue();
        assertThat(bob().release(KEY, lease.token())).isTrue();
        assertThat(status(ann()).isHeld()).isFalse();

        var next = acquire(ann(), KEY);
        assertThat(bob().release(KEY, lease.token())).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(status(bob()).isHeld()).isTrue();
    }
}
