package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for requests in general. Each kind of request has its own test class. */
class DecisionRulesTest {
    static Stream<LeaseRequest> harmlessWhenRepeated() {
        return Stream.of(
                acquire(OURS),
                new LeaseRequest.Renew(OURS, null, AttributePatch.NONE),
                new LeaseRequest.Release(OURS),
                new LeaseRequest.HandOver(OURS, acquire(THEIRS)),
                new LeaseRequest.ReleaseUndelivered(OURS, BEAT),
                new LeaseRequest.Done(OURS, PATCH),
                new LeaseRequest.EvictExpired(),
                new LeaseRequest.CleanUp(null));
    }

    static Stream<LeaseRequest> harmfulWhenRepeated() {
        return Stream.of(
                new LeaseRequest.Update(OURS, PATCH),
                new LeaseRequest.Renew(OURS, null, PATCH),
                new LeaseRequest.Reopen(),
                new LeaseRequest.Delete(OURS),
                Examples.EVICT_BY_FORCE);
    }

    static Stream<LeaseRequest> allButAcquire() {
        return Stream.concat(harmlessWhenRepeated(), harmfulWhenRepeated())
                .filter(leaseRequest -> !(leaseRequest instanceof LeaseRequest.Acquire));
    }

    @ParameterizedTest
    @MethodSource("allButAcquire")
    void anUnknownKeyIsReadFirst(LeaseRequest leaseRequest) {
        assertThat(decide(leaseRequest, null)).isEqualTo(new Decision.ReadFirst(KEY));
        assertThat(decide(leaseRequest, null, live(anchorHeld()))).isEqualTo(new Decision.ReadFirst(KEY));
    }

    @ParameterizedTest
    @MethodSource("harmfulWhenRepeated")
    void aRequestThatCouldUndoALaterWriteIsNotDecidedTwice(LeaseRequest leaseRequest) {
        assertThat(leaseRequest.repeatsHarmlessly()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("harmlessWhenRepeated")
    void aRequestThatNeedsATokenOrExpiryMayBeDecidedTwice(LeaseRequest leaseRequest) {
        assertThat(leaseRequest.repeatsHarmlessly()).isTrue();
    }

    @Test
    void anAbsentKeyStandsFree() {
        assertThat(RULES.decisions().standing(ABSENT, null, Examples.CLOCK))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.FREE));
    }

    @Test
    void aPresentKeyStandsByItsExpiry() {
        ObservedEntry seen = live(held(OURS));

        assertThat(RULES.decisions().standing(seen, null, Examples.CLOCK))
                .isEqualTo(RULES.expiry().standing(held(OURS), seen, null, Examples.CLOCK))
                .isEqualTo(new EntryStanding(EntryStanding.Kind.HELD, PATIENCE.minus(YOUNG)));
    }

    @ParameterizedTest
    @EnumSource
    void othersSeeAKeyAsFreeIfTheyMayAcquireIt(EntryStanding.Kind kind) {
        boolean free = switch (kind) {
            case FREE, SILENT, ORPHANED, ANCHOR_SILENT -> true;
            case DONE, HELD, ANCHOR_UNSEEN -> false;
        };

        assertThat(EntryStanding.of(kind).isFree()).isEqualTo(free);
        assertThat(EntryStanding.of(kind).remaining()).isEqualTo(Duration.ZERO);
    }
}
