package dev.holdfast.testkit.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Key;
import dev.holdfast.RenewOptions;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.UnsupportedFeatureException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that features that the dialect lacks are refused before a request is sent. */
interface LeasesFeatureContract extends LeasesSteps {
    @Test
    default void missingFeaturesAreRefusedAndTheLeaseIsUnchanged() {
        var lease = acquire(ann(), KEY);
        var token = lease.token();
        var before = status(bob());

        refusedIfLacking(StoreFeature.FENCE, lease::fence);
        refusedIfLacking(StoreFeature.DONE, lease::done);
        refusedIfLacking(StoreFeature.DONE, () -> ann().done(KEY, token, AttributePatch.NONE));
        refusedIfLacking(StoreFeature.DONE, () -> ann().reopen(KEY));
        refusedIfLacking(StoreFeature.ATTRIBUTES, () -> lease.update(AttributePatch.putting("x", 1)));
        refusedIfLacking(StoreFeature.ATTRIBUTES, () -> ann().update(KEY, token, AttributePatch.putting("x", 1)));
        var patched = RenewOptions.defaults().attributes(AttributePatch.putting("x", 1));
        refusedIfLacking(StoreFeature.ATTRIBUTES, () -> ann().renew(KEY, token, patched));

        assertThat(lease.isHeld()).isTrue();
        assertThat(status(bob()).entry()).isEqualTo(before.entry());
    }

    @Test
    default void missingFeaturesAreRefusedWithoutALeaseToo() {
        refusedIfLacking(StoreFeature.ANCHORS, () -> ann().anchor("worker", term()));
        refusedIfLacking(StoreFeature.CLEAN_UP, () -> ann().cleanUp(CleanUpOptions.idle(1)));
        refusedIfLacking(StoreFeature.NAMESPACES, () -> ann().tryAcquire(Key.of("shop", "a"), renewed()));
        refusedIfLacking(StoreFeature.NAMESPACES, () -> ann().get(Key.of("shop", "a")));
        refusedIfLacking(
                StoreFeature.ATTRIBUTES, () -> ann().tryAcquire(KEY, renewed().attributes(Attributes.of("x", "1"))));

        assertThat(ann().get(KEY)).isEmpty();
    }

    @Test
    default void aTermOutsideTheLimitsOfTheDialectIsRefused() {
        Duration early = dialect().early();
        if (!early.isZero()) {
            assertIllegal(() -> ann().tryAcquire(KEY, renewed().term(early)), "term: " + early);
        }
        Duration tooLong = dialect().longestTerm().plusMillis(1);
        assertIllegal(() -> ann().tryAcquire(KEY, renewed().term(tooLong)), "term: ");
        assertThat(ann().get(KEY)).isEmpty();
    }

    @Test
    default void aLeaseFollowsItsTokenThroughRenewals() {
        var lease = acquire(ann(), KEY);
        var first = lease.token();

        lease.renew();
        var second = lease.token();
        lease.renew();

        assertThat(second.equals(first)).isEqualTo(has(StoreFeature.LASTING_TOKEN));
        var seen = status(bob()).entry();
        // A server hides tokens from other clients.
        assertThat(seen.isHeldBy(lease.token()) || seen.isHeldBy(Token.HIDDEN)).isTrue();
        assertThat(bob().release(KEY, first)).isEqualTo(has(StoreFeature.LASTING_TOKEN));
        assertThat(lease.release()).isTrue();
        assertThat(isHeld(bob())).isFalse();
    }

    private void refusedIfLacking(StoreFeature feature, ThrowingCallable call) {
        if (!has(feature)) {
            assertThatExceptionOfType(UnsupportedFeatureException.class)
                    .as("%s", feature)
                    .isThrownBy(call)
                    .withMessageContaining("layout " + dialect().name() + " cannot ")
                    .satisfies(e -> assertThat(e.power()).isEqualTo(feature));
        }
    }
}
