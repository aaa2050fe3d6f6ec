package dev.holdfast.cli.output;

import java.time.Duration;

/** Short text form of a duration: its two largest units, such as {@code 1h 57m}. */
public final class DurationSpan {
    private static final long[] MILLIS = {86_400_000L, 3_600_000L, 60_000L, 1_000L};
    private static final String[] UNITS = {"d", "h", "m", "s"};

    private DurationSpan() {}

    public static String of(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis < 1_000) {
            return millis + "ms";
        }
        for (int i = 0; i < MILLIS.length; i++) {
            long count = millis / MILLIS[i];
            if (count > 0) {
                long next = i + 1 < MILLIS.length ? millis % MILLIS[i] / MILLIS[i + 1] : 0;
                return count + UNITS[i] + (next > 0 ? " " + next + UNITS[i + 1] : "");
            }
        }
        throw new AssertionError(duration);
    }
}
