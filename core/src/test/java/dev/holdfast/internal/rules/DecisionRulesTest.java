package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for requests in general; each request has a test class of its own. */
class DecisionRulesTest {
    static Stream<LeaseRequest> harmlessWhenRepeated() {
        return Stream.of(
                acquire(OURS),
                new LeaseRequest.Renew(OURS, null, AttributePatch.NONE),
                new LeaseRequest.Release(OURS),
                new LeaseRequest.HandOver(OURS, acquire(THEIRS)),
                new LeaseRequest.GiveBack(OURS, BEAT),
                new LeaseRequest.Done(OURS, PATCH),
                new LeaseRequest.EvictSilent(),
                new LeaseRequest.CleanUp(null));
    }

    static Stream<LeaseRequest> harmfulWhenRepeated() {
        return Stream.of(
                new LeaseRequest.Update(OURS, PATCH),
                new LeaseRequest.Renew(OURS, null, PATCH),
                new LeaseRequest.Reopen(),
                new LeaseRequest.Delete(OURS),
                new LeaseRequest.EvictByForce());
    }

    static Stream<LeaseRequest> allButAcquire() {
        return Stream.concat(harmlessWhenRepeated(), harmfulWhenRepeated())
                .filter(leaseRequest -> !(leaseRequest instanceof LeaseRequest.Acquire));
    }

    @ParameterizedTest
    @MethodSource("allButAcquire")
    void aKeyOfWhichNothingIsKnownIsLookedAtFirst(LeaseRequest leaseRequest) {
        assertThat(decide(leaseRequest, null)).isEqualTo(new Decision.Look(KEY));
        assertThat(decide(leaseRequest, null, live(anchorHeld()))).isEqualTo(new Decision.Look(KEY));
    }

    @ParameterizedTest
    @MethodSource("harmfulWhenRepeated")
    void whatCouldUndoTheWorkOfOthersIsNotDecidedTwice(LeaseRequest leaseRequest) {
        assertThat(leaseRequest.repeatsHarmlessly()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("harmlessWhenRepeated")
    void whatNeedsATokenOrSilenceMayBeDecidedTwice(LeaseRequest leaseRequest) {
        assertThat(leaseRequest.repeatsHarmlessly()).isTrue();
    }

    @Test
    void anAbsentKeyStandsFree() {
        assertThat(BOOK.decisions().standing(ABSENT, null, Examples.CLOCK))
                .isEqualTo(EntryStanding.of(EntryStanding.Kind.FREE));
    }

    @Test
    void aPresentKeyStandsAsItsSilenceSays() {
        ObservedEntry seen = live(held(OURS));

        assertThat(BOOK.decisions().standing(seen, null, Examples.CLOCK))
                .isEqualTo(BOOK.expiry().standing(held(OURS), seen, null, Examples.CLOCK))
                .isEqualTo(new EntryStanding(EntryStanding.Kind.HELD, PATIENCE.minus(YOUNG)));
    }

    @ParameterizedTest
    @EnumSource
    void othersSeeAsFreeWhatTheyMayAcquire(EntryStanding.Kind kind) {
        boolean free = switch (kind) {
            case FREE, SILENT, ORPHANED, ANCHOR_SILENT -> true;
            case DONE, HELD, ANCHOR_UNSEEN -> false;
        };

        assertThat(EntryStanding.of(kind).isFree()).isEqualTo(free);
        assertThat(EntryStanding.of(kind).remaining()).isEqualTo(Duration.ZERO);
    }

    @Test
    void whatIsAlreadySoMayBeThatThereIsNothing() {
        assertThat(new Decision.Already(null).current()).isEmpty();
        assertThat(new Decision.Already(deleted()).current()).isEqualTo(Optional.of(deleted()));
    }
}
