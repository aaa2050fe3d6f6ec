package dev.holdfast.rules;

import static dev.holdfast.rules.Examples.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FenceRulesTest {
    private static final long NOW_MICROS = 1_767_323_045_678_901L;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration LONG = Duration.ofDays(1000);
    private static final Duration NANO = Duration.ofNanos(1);

    private final FenceRules fenceRules = new FenceRules();

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
        WriteStamp writeStamp = Examples.stamp(FRESH, Instant.EPOCH.minusSeconds(1), Fence.NONE);

        assertThat(fenceRules.next(Fence.NONE, writeStamp)).isEqualTo(Fence.of(1));
        assertThat(fenceRules.next(Fence.of(8), writeStamp)).isEqualTo(Fence.of(9));
    }

    @Test
    void theLastFenceOfAllHasNoNext() {
        assertThatIllegalArgumentException().isThrownBy(() -> next(Long.MAX_VALUE, 0));
    }

    @Test
    void microsecondsAreRoundedDown() {
        assertThat(FenceRules.micros(NOW)).isEqualTo(NOW_MICROS);
        assertThat(FenceRules.micros(NOW.plusNanos(999))).isEqualTo(NOW_MICROS);
        assertThat(FenceRules.micros(NOW.plusNanos(1000))).isEqualTo(NOW_MICROS + 1);
    }

    @Test
    void aKeyWhoseHolderDiedIsKeptForAsLongAsOneThatIsFree() {
        assertThat(isRemovable(old(LeaseState.HELD), WEEK.minus(NANO), null)).isFalse();
        assertThat(isRemovable(old(LeaseState.HELD), WEEK, null)).isTrue();
    }

    @Test
    void aFreeKeyIsRemovedWhenItHasBeenIdleForAWeek() {
        assertThat(isRemovable(old(LeaseState.FREE), WEEK.minus(NANO), null)).isFalse();
        assertThat(isRemovable(old(LeaseState.FREE), WEEK, null)).isTrue();
    }

    @Test
    void aFreeKeyIsKeptForAWeekAfterItWasCreated() {
        Instant created = NOW.minus(WEEK);

        assertThat(isRemovable(entry(LeaseState.FREE, Fence.of(1), created.plusNanos(1)), LONG, null))
                .isFalse();
        assertThat(isRemovable(entry(LeaseState.FREE, Fence.of(1), created), LONG, null))
                .isTrue();
    }

    @Test
    void aKeyWithoutAGrantIsKeptForAWeekAfterItWasCreated() {
        Entry young = Entry.empty(KEY, SEEN, FENCE, NOW.minus(WEEK).plusNanos(1));
        Entry old = Entry.empty(KEY, SEEN, FENCE, NOW.minus(WEEK));

        assertThat(isRemovable(young, Duration.ZERO, null)).isFalse();
        assertThat(isRemovable(old, Duration.ZERO, null)).isTrue();
    }

    @Test
    void aKeyIsKeptUntilItsFenceIsAWeekInThePast() {
        long weekAgo = NOW_MICROS - WEEK.toSeconds() * 1_000_000;

        for (LeaseState leaseState : new LeaseState[] {LeaseState.FREE, LeaseState.DONE}) {
            assertThat(isRemovable(withFence(leaseState, weekAgo), LONG, Duration.ZERO))
                    .isTrue();
            assertThat(isRemovable(withFence(leaseState, weekAgo + 1), LONG, Duration.ZERO))
                    .isFalse();
        }
    }

    @Test
    void aKeyIsKeptWhileItsFenceIsAheadOfTheClock() {
        for (LeaseState leaseState : new LeaseState[] {LeaseState.FREE, LeaseState.DONE}) {
            assertThat(isRemovable(withFence(leaseState, NOW_MICROS + 1), LONG, Duration.ZERO))
                    .isFalse();
            assertThat(isRemovable(withFence(leaseState, Long.MAX_VALUE), LONG, Duration.ZERO))
                    .isFalse();
        }
    }

    @Test
    void aDoneKeyIsKeptForEverByDefault() {
        assertThat(isRemovable(old(LeaseState.DONE), LONG, null)).isFalse();
    }

    @Test
    void aDoneKeyIsKeptForAsLongAsRequested() {
        Duration sinceDone = Duration.between(DONE_AT, NOW);

        assertThat(isRemovable(old(LeaseState.DONE), LONG, sinceDone.plus(NANO)))
                .isFalse();
        assertThat(isRemovable(old(LeaseState.DONE), LONG, sinceDone)).isTrue();
        assertThat(isRemovable(old(LeaseState.DONE), LONG, Duration.ZERO)).isTrue();
    }

    @Test
    void aFenceAfterARemovalIsAboveTheRemovedOneEvenIfTheClockIsDaysBehind() {
        long weekAgo = NOW_MICROS - WEEK.toSeconds() * 1_000_000;
        WriteStamp behind = Examples.stamp(FRESH, NOW.minus(WEEK).plusNanos(1000), Fence.NONE);

        assertThat(isRemovable(withFence(LeaseState.FREE, weekAgo), LONG, null)).isTrue();
        assertThat(fenceRules.next(Fence.NONE, behind)).isGreaterThan(Fence.of(weekAgo));
    }

    private long next(long last, long floor) {
        return fenceRules
                .next(Fence.of(last), Examples.stamp(FRESH, NOW, Fence.of(floor)))
                .value();
    }

    private boolean isRemovable(Entry entry, Duration silentFor, @Nullable Duration keepDone) {
        return fenceRules.isRemovable(entry, silentFor, NOW, keepDone);
    }

    private static Entry old(LeaseState leaseState) {
        return withFence(leaseState, FENCE.value());
    }

    private static Entry withFence(LeaseState leaseState, long fence) {
        return entry(leaseState, Fence.of(fence), NOW.minus(LONG));
    }

    private static Entry entry(LeaseState leaseState, Fence fence, Instant createdAt) {
        Instant doneAt = leaseState == LeaseState.DONE ? DONE_AT : null;
        return new Entry(KEY, SEEN, leaseState, fence, 3, grant(THEIRS, null), ATTRIBUTES, createdAt, doneAt);
    }
}
