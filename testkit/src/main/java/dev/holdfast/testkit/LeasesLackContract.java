package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Lease;
import dev.holdfast.LeaseStatus;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.Power;
import dev.holdfast.model.Token;
import dev.holdfast.model.UnsupportedPowerException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is lacking is refused, and nothing is sent; what is there works. */
abstract class LeasesLackContract extends LeasesAsyncContract {
    @Test
    void whatIsLackingIsRefusedAndTheLeaseStaysAsItWas() {
        Lease lease = acquire(ann(), KEY);
        Token token = lease.token();
        LeaseStatus before = bob().get(KEY).orElseThrow();

        refusedIfLacking(Power.FENCE, lease::fence);
        refusedIfLacking(Power.DONE, lease::done);
        refusedIfLacking(Power.DONE, () -> ann().done(KEY, token, AttributePatch.NONE));
        refusedIfLacking(Power.DONE, () -> ann().reopen(KEY));
        refusedIfLacking(Power.ATTRIBUTES, () -> lease.update(AttributePatch.putting("x", 1)));
        refusedIfLacking(Power.ATTRIBUTES, () -> ann().update(KEY, token, AttributePatch.putting("x", 1)));
        refusedIfLacking(Power.ATTRIBUTES, () -> ann().async().renewal(KEY, token, AttributePatch.putting("x", 1)));
        refusedIfLacking(Power.LASTING_TOKEN, () -> ann().renew(KEY, token));

        assertThat(lease.isHeld()).isTrue();
        assertThat(bob().get(KEY).orElseThrow().entry()).isEqualTo(before.entry());
    }

    @Test
    void whatIsLackingIsRefusedWithoutALeaseToo() {
        refusedIfLacking(Power.ANCHORS, () -> ann().anchor("worker", term()));
        refusedIfLacking(Power.CLEAN_UP, () -> ann().cleanUp(CleanUpOptions.idle(1)));
        refusedIfLacking(Power.NAMESPACES, () -> ann().tryAcquire(Key.of("shop", "a"), renewed()));
        refusedIfLacking(Power.NAMESPACES, () -> ann().get(Key.of("shop", "a")));
        refusedIfLacking(Power.ATTRIBUTES, () -> ann().tryAcquire(KEY, renewed().attributes(Attributes.of("x", "1"))));

        assertThat(ann().get(KEY)).isEmpty();
    }

    @Test
    void aTermThatOthersWouldNotKeepToIsRefused() {
        Duration early = dialect().early();
        if (!early.isZero()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ann().tryAcquire(KEY, renewed().term(early)))
                    .withMessageStartingWith("term: " + early);
        }
        Duration tooLong = dialect().longestTerm().plusMillis(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ann().tryAcquire(KEY, renewed().term(tooLong)))
                .withMessageStartingWith("term: ");
        assertThat(ann().get(KEY)).isEmpty();
    }

    @Test
    void aLeaseFollowsItsTokenThroughRenewals() {
        Lease lease = acquire(ann(), KEY);
        Token first = lease.token();

        lease.renew();
        Token second = lease.token();
        lease.renew();

        assertThat(second.equals(first)).isEqualTo(has(Power.LASTING_TOKEN));
        Entry seen = bob().get(KEY).orElseThrow().entry();
        // A server shows nobody the token of another.
        assertThat(seen.isHeldBy(lease.token()) || seen.isHeldBy(Token.HIDDEN)).isTrue();
        assertThat(bob().release(KEY, first)).isEqualTo(has(Power.LASTING_TOKEN));
        assertThat(lease.release()).isTrue();
        assertThat(bob().get(KEY).map(LeaseStatus::isHeld).orElse(false)).isFalse();
    }

    private void refusedIfLacking(Power power, ThrowingCallable call) {
        if (!has(power)) {
            assertThatExceptionOfType(UnsupportedPowerException.class)
                    .as("%s", power)
                    .isThrownBy(call)
                    .withMessageContaining("layout " + dialect().name() + " cannot ")
                    .satisfies(e -> assertThat(e.power()).isEqualTo(power));
        }
    }
}
