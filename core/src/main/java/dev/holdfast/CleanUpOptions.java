package dev.holdfast;

import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a clean-up. Immutable.
 *
 * @param limit the most keys that are removed
 * @param keepDone how long done keys are kept, at most 36,500 days; empty: for ever
 */
public record CleanUpOptions(int limit, Optional<Duration> keepDone) {
    /** A century: as good as for ever, and it cannot overflow the time that it is added to. */
    private static final Duration KEEP_MAX = Duration.ofDays(36_500);

    public CleanUpOptions {
        if (limit < 1) {
            throw ArgumentCheck.bad("limit", limit, ">= 1");
        }
        keepDone.ifPresent(keep -> ArgumentCheck.notNegative("keepDone", keep, KEEP_MAX));
    }

    /** Keys that have been free and idle for a week, at most {@code limit} of them. */
    public static CleanUpOptions idle(int limit) {
        return new CleanUpOptions(limit, Optional.empty());
    }

    /**
     * Also removes keys that have been done for {@code newKeepDone}, once their fence has passed, which takes a week. A
     * removed key can be granted again.
     */
    public CleanUpOptions doneOlderThan(Duration newKeepDone) {
        return new CleanUpOptions(limit, Optional.of(newKeepDone));
    }
}
