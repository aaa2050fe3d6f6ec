package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.OURS;
import static dev.holdfast.rules.Examples.THEIRS;
import static dev.holdfast.rules.Examples.US;
import static dev.holdfast.rules.Examples.acquire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.store.Term;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The properties of requests that the pipeline asks for. */
class LeaseRequestTest {
    @Test
    void onlyARequestThatAppliesWhileTheKeyIsUnchangedNeedsNoBar() {
        assertThat(new LeaseRequest.Renew(OURS, null, AttributePatch.NONE, null, null).mustBeSettled())
                .isFalse();
        assertThat(new LeaseRequest.EvictExpired().mustBeSettled()).isFalse();
        assertThat(new LeaseRequest.CleanUp(null).mustBeSettled()).isFalse();

        assertThat(acquire(OURS).mustBeSettled()).isTrue();
        assertThat(new LeaseRequest.Release(OURS).mustBeSettled()).isTrue();
    }

    @Test
    void aGrantIsForTheNewHolder() {
        assertThat(acquire(OURS).grantee()).isEqualTo(OURS);
        assertThat(new LeaseRequest.HandOver(THEIRS, acquire(OURS)).grantee()).isEqualTo(OURS);
        assertThat(new LeaseRequest.Release(OURS).grantee()).isNull();
    }

    @Test
    void anAcquireWithOtherAttributesIsOtherwiseTheSame() {
        LeaseRequest.Acquire before = acquire(OURS).yielding(true);
        AttributePatch patch = AttributePatch.putting("color", "red");

        assertThat(before.withAttributes(patch))
                .isEqualTo(new LeaseRequest.Acquire(
                        before.token(),
                        before.holder(),
                        before.term(),
                        patch,
                        before.anchor(),
                        before.onlyIfNew(),
                        true));
    }

    @Test
    void theRemainingTimeThatIsShownHasNoMargin() {
        Duration withMargin = Duration.ofSeconds(11);
        Decision.Held held = new Decision.Held(US, OURS, Fence.of(1), null, Term.ofMillis(10_000), withMargin);

        assertThat(held.shownRemaining()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aServerHasRemovedTheMarginAlready() {
        Duration left = Duration.ofSeconds(11);
        Decision.Held held = new Decision.Held(US, OURS, Fence.of(1), null, null, left);

        assertThat(held.shownRemaining()).isEqualTo(left);
    }
}
