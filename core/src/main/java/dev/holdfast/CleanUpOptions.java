package dev.holdfast;

import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of a clean-up. Immutable. */
public final class CleanUpOptions {
    /**
     * How long a key must have been idle, and how far in the past its fence must be, before clean-up may remove it: a week. So
     * every clock gives a larger fence to the next grant.
     */
    public static final Duration IDLE_MIN = Duration.ofDays(7);

    /** A century: as good as for ever, and it cannot overflow the time that it is added to. */
    private static final Duration KEEP_MAX = Duration.ofDays(36_500);

    private final int limit;
    private final @Nullable Duration keepDone;

    private CleanUpOptions(int limit, @Nullable Duration keepDone) {
        if (limit < 1) {
            throw ArgumentCheck.bad("limit", limit, ">= 1");
        }
        if (keepDone != null) {
            ArgumentCheck.notNegative("keepDone", keepDone, KEEP_MAX);
        }
        this.limit = limit;
        this.keepDone = keepDone;
    }

    /** Keys that have been free and idle for a week, at most {@code limit} of them. */
    public static CleanUpOptions idle(int limit) {
        return new CleanUpOptions(limit, null);
    }

    /**
     * Also removes keys that have been done for {@code keepDone}, once their fence has passed, which takes a week. A
     * removed key can be granted again.
     *
     * @param newKeepDone at most 36,500 days; to keep done keys for ever, do not call this
     */
    public CleanUpOptions doneOlderThan(Duration newKeepDone) {
        return new CleanUpOptions(limit, newKeepDone);
    }

    public int limit() {
        return limit;
    }

    public Optional<Duration> keepDone() {
        return Optional.ofNullable(keepDone);
    }
}
