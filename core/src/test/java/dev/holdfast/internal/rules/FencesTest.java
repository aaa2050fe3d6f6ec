package dev.holdfast.internal.rules;

import static dev.holdfast.internal.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.State;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FencesTest {
    private static final long NOW_MICROS = 1_767_323_045_678_901L;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration LONG = Duration.ofDays(1000);
    private static final Duration NANO = Duration.ofNanos(1);

    private final Fences fences = new Fences();

    @Test
    void aFenceIsTheTimeInMicroseconds() {
        assertThat(next(0, 0)).isEqualTo(NOW_MICROS);
        assertThat(next(NOW_MICROS - 1, 0)).isEqualTo(NOW_MICROS);
    }

    @Test
    void aFenceIsTheLastOnePlusOneWhenTheClockIsBehindIt() {
        assertThat(next(NOW_MICROS, 0)).isEqualTo(NOW_MICROS + 1);
        assertThat(next(NOW_MICROS + 500, 0)).isEqualTo(NOW_MICROS + 501);
    }

    @Test
    void aFenceIsAboveTheFloor() {
        assertThat(next(0, NOW_MICROS)).isEqualTo(NOW_MICROS + 1);
        assertThat(next(7, NOW_MICROS + 500)).isEqualTo(NOW_MICROS + 501);
        assertThat(next(NOW_MICROS + 900, NOW_MICROS + 500)).isEqualTo(NOW_MICROS + 901);
    }

    @Test
    void aClockBeforeItsEpochStillGivesAGrowingFence() {
        Stamp stamp = new Stamp(FRESH, Instant.EPOCH.minusSeconds(1), Fence.NONE);

        assertThat(fences.next(Fence.NONE, stamp)).isEqualTo(Fence.of(1));
        assertThat(fences.next(Fence.of(8), stamp)).isEqualTo(Fence.of(9));
    }

    @Test
    void theLastFenceOfAllHasNoNext() {
        assertThatIllegalArgumentException().isThrownBy(() -> next(Long.MAX_VALUE, 0));
    }

    @Test
    void microsecondsAreRoundedDown() {
        assertThat(Fences.micros(NOW)).isEqualTo(NOW_MICROS);
        assertThat(Fences.micros(NOW.plusNanos(999))).isEqualTo(NOW_MICROS);
        assertThat(Fences.micros(NOW.plusNanos(1000))).isEqualTo(NOW_MICROS + 1);
    }

    @Test
    void aKeyWhoseHolderDiedIsKeptForAsLongAsOneThatIsFree() {
        assertThat(isRemovable(old(State.HELD), WEEK.minus(NANO), null)).isFalse();
        assertThat(isRemovable(old(State.HELD), WEEK, null)).isTrue();
    }

    @Test
    void aFreeKeyIsRemovedWhenItHasBeenSilentForAWeek() {
        assertThat(isRemovable(old(State.FREE), WEEK.minus(NANO), null)).isFalse();
        assertThat(isRemovable(old(State.FREE), WEEK, null)).isTrue();
    }

    @Test
    void aFreeKeyIsKeptForAWeekAfterItWasCreated() {
        Instant created = NOW.minus(WEEK);

        assertThat(isRemovable(entry(State.FREE, Fence.of(1), created.plusNanos(1)), LONG, null))
                .isFalse();
        assertThat(isRemovable(entry(State.FREE, Fence.of(1), created), LONG, null))
                .isTrue();
    }

    @Test
    void aKeyWithoutAGrantHasNoBeatThatCouldBeSilent() {
        Entry young = Entry.empty(KEY, SEEN, FENCE, NOW.minus(WEEK).plusNanos(1));
        Entry old = Entry.empty(KEY, SEEN, FENCE, NOW.minus(WEEK));

        assertThat(isRemovable(young, Duration.ZERO, null)).isFalse();
        assertThat(isRemovable(old, Duration.ZERO, null)).isTrue();
    }

    @Test
    void aKeyIsKeptUntilItsFenceIsAWeekInThePast() {
        long weekAgo = NOW_MICROS - WEEK.toSeconds() * 1_000_000;

        for (State state : new State[] {State.FREE, State.DONE}) {
            assertThat(isRemovable(withFence(state, weekAgo), LONG, Duration.ZERO))
                    .isTrue();
            assertThat(isRemovable(withFence(state, weekAgo + 1), LONG, Duration.ZERO))
                    .isFalse();
        }
    }

    @Test
    void aKeyIsKeptWhileItsFenceIsAheadOfTheClock() {
        for (State state : new State[] {State.FREE, State.DONE}) {
            assertThat(isRemovable(withFence(state, NOW_MICROS + 1), LONG, Duration.ZERO))
                    .isFalse();
            assertThat(isRemovable(withFence(state, Long.MAX_VALUE), LONG, Duration.ZERO))
                    .isFalse();
        }
    }

    @Test
    void aDoneKeyIsKeptForEverByDefault() {
        assertThat(isRemovable(old(State.DONE), LONG, null)).isFalse();
    }

    @Test
    void aDoneKeyIsKeptForAsLongAsAsked() {
        Duration sinceDone = Duration.between(DONE_AT, NOW);

        assertThat(isRemovable(old(State.DONE), LONG, sinceDone.plus(NANO))).isFalse();
        assertThat(isRemovable(old(State.DONE), LONG, sinceDone)).isTrue();
        assertThat(isRemovable(old(State.DONE), LONG, Duration.ZERO)).isTrue();
    }

    @Test
    void whatIsGrantedAfterARemovalIsAboveWhatWasRemovedThoughTheClockIsDaysBehind() {
        long weekAgo = NOW_MICROS - WEEK.toSeconds() * 1_000_000;
        Stamp behind = new Stamp(FRESH, NOW.minus(WEEK).plusNanos(1000), Fence.NONE);

        assertThat(isRemovable(withFence(State.FREE, weekAgo), LONG, null)).isTrue();
        assertThat(fences.next(Fence.NONE, behind)).isGreaterThan(Fence.of(weekAgo));
    }

    private long next(long last, long floor) {
        return fences.next(Fence.of(last), new Stamp(FRESH, NOW, Fence.of(floor)))
                .value();
    }

    private boolean isRemovable(Entry entry, Duration silentFor, @Nullable Duration keepDone) {
        return fences.isRemovable(entry, silentFor, NOW, keepDone);
    }

    private static Entry old(State state) {
        return withFence(state, FENCE.value());
    }

    private static Entry withFence(State state, long fence) {
        return entry(state, Fence.of(fence), NOW.minus(LONG));
    }

    private static Entry entry(State state, Fence fence, Instant createdAt) {
        Instant doneAt = state == State.DONE ? DONE_AT : null;
        return new Entry(KEY, SEEN, state, fence, 3, grant(THEIRS, null), ATTRIBUTES, createdAt, doneAt);
    }
}
