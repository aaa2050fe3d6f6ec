package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.AcquireResult;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.LostReason;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.Term;
import dev.holdfast.Token;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests of calls with a token instead of a {@link Lease} object, and of tokens that do not hold the key. */
abstract class LeasesTokenContract extends LeasesGrantContract {
    @Test
    void aStaleTokenCannotReleaseFinishOrUpdate() {
        Lease lease = acquire(ann(), KEY);
        Lease taken = takeOver(bob(), KEY);

        assertThat(ann().release(KEY, lease.token())).isFalse();
        assertThat(lease.release()).isFalse();
        if (has(StoreFeature.ATTRIBUTES)) {
            assertLost(() -> ann().update(KEY, lease.token(), AttributePatch.putting("x", 1)), LostReason.TAKEN);
        }
        if (has(StoreFeature.DONE)) {
            assertLost(() -> ann().done(KEY, lease.token(), AttributePatch.NONE), LostReason.TAKEN);
            assertLost(() -> lease.done(), LostReason.TAKEN);
        }

        assertThat(bob().get(KEY).orElseThrow().fence()).isEqualTo(fenceOf(taken));
        assertThat(bob().get(KEY).orElseThrow().isHeld()).isTrue();
        assertThat(bob().get(KEY).orElseThrow().attributes()).isEqualTo(Attributes.NONE);
    }

    @Test
    void anUnknownTokenHasNoEffect() {
        Token unknown = Token.of(UUID.randomUUID());

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
    void aDetachedLeaseIsControlledByItsTokenAlone() {
        Lease lease = acquire(ann(), KEY);

        Token token = lease.detach();
        lease.close();
        ann().close();

        assertThat(lease.isHeld()).isFalse();
        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.HeldByAnother.class);
        RenewResult renewed = bob().renew(KEY, token);
        assertThat(renewed.remaining()).isPositive();
        assertThat(renewed.token().equals(token)).isEqualTo(has(StoreFeature.LASTING_TOKEN));
        assertThat(bob().release(KEY, renewed.token())).isTrue();
    }

    @Test
    void aRenewalByTokenMayChangeTheTerm() {
        Token token = acquire(ann(), KEY).detach();
        Duration shorter = Duration.ofMillis(term().toMillis() * 3 / 4);

        RenewResult renewed = bob().renew(KEY, token, RenewOptions.defaults().term(shorter));

        assertThat(renewed.remaining()).isPositive().isLessThanOrEqualTo(shorter);
        assertThat(ann().get(KEY).map(LeaseStatus::entry).map(Entry::grant).map(Grant::term))
                .contains(Term.of(shorter));
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
    void anExpiredLeaseThatWasNotTakenCanBeRenewedByItsToken() {
        Lease lease = acquire(ann(), KEY);
        outlast();

        Duration left = bob().renew(KEY, lease.token()).remaining();

        assertThat(left).isPositive().isLessThanOrEqualTo(term());
        assertThat(bob().tryAcquire(KEY, renewed())).isInstanceOf(AcquireResult.HeldByAnother.class);
    }

    @Test
    void anExpiredLeaseThatWasNotTakenCanBeFinishedUpdatedAndReleasedByItsToken() {
        needs(StoreFeature.ATTRIBUTES, StoreFeature.DONE);
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
    void releasingTwiceByTokenIsHarmless() {
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
