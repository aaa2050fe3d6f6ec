package dev.holdfast.support;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations in the JSON of the server and of the command: in seconds, exact. */
public final class SecondsText {
    private SecondsText() {}

    /** Such as {@code 30s} and {@code 12.345s}. */
    public static String of(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
        return (seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString()) + "s";
    }
}
