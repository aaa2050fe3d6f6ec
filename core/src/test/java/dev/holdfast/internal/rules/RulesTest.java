package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.AttributePatch;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for requests in general; each request has a test class of its own. */
class RulesTest {
    static Stream<Request> harmlessWhenRepeated() {
        return Stream.of(
                acquire(OURS),
                new Request.Renew(OURS, null, AttributePatch.NONE),
                new Request.Release(OURS),
                new Request.HandOver(OURS, acquire(THEIRS)),
                new Request.GiveBack(OURS, BEAT),
                new Request.Done(OURS, PATCH),
                new Request.EvictSilent(),
                new Request.CleanUp(null));
    }

    static Stream<Request> harmfulWhenRepeated() {
        return Stream.of(
                new Request.Update(OURS, PATCH),
                new Request.Renew(OURS, null, PATCH),
                new Request.Reopen(),
                new Request.Delete(OURS),
                new Request.EvictByForce());
    }

    static Stream<Request> allButAcquire() {
        return Stream.concat(harmlessWhenRepeated(), harmfulWhenRepeated())
                .filter(request -> !(request instanceof Request.Acquire));
    }

    @ParameterizedTest
    @MethodSource("allButAcquire")
    void aKeyOfWhichNothingIsKnownIsLookedAtFirst(Request request) {
        assertThat(decide(request, null)).isEqualTo(new Decision.Look(KEY));
        assertThat(decide(request, null, live(anchorHeld()))).isEqualTo(new Decision.Look(KEY));
    }

    @ParameterizedTest
    @MethodSource("harmfulWhenRepeated")
    void whatCouldUndoTheWorkOfOthersIsNotDecidedTwice(Request request) {
        assertThat(request.repeatsHarmlessly()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("harmlessWhenRepeated")
    void whatNeedsATokenOrSilenceMayBeDecidedTwice(Request request) {
        assertThat(request.repeatsHarmlessly()).isTrue();
    }

    @Test
    void anAbsentKeyStandsFree() {
        assertThat(BOOK.rules().standing(ABSENT, null, NOW)).isEqualTo(Standing.of(Standing.Kind.FREE));
    }

    @Test
    void aPresentKeyStandsAsItsSilenceSays() {
        Sighting seen = live(held(OURS));

        assertThat(BOOK.rules().standing(seen, null, NOW))
                .isEqualTo(BOOK.silence().standing(held(OURS), seen, null, NOW))
                .isEqualTo(new Standing(Standing.Kind.HELD, PATIENCE.minus(YOUNG)));
    }

    @ParameterizedTest
    @EnumSource
    void othersSeeAsFreeWhatTheyMayAcquire(Standing.Kind kind) {
        boolean free = switch (kind) {
            case FREE, SILENT, ORPHANED, ANCHOR_SILENT -> true;
            case DONE, HELD, ANCHOR_UNSEEN -> false;
        };

        assertThat(Standing.of(kind).isFree()).isEqualTo(free);
        assertThat(Standing.of(kind).remaining()).isEqualTo(Duration.ZERO);
    }

    @Test
    void whatIsAlreadySoMayBeThatThereIsNothing() {
        assertThat(new Decision.Already(null).current()).isEmpty();
        assertThat(new Decision.Already(deleted()).current()).isEqualTo(Optional.of(deleted()));
    }
}
