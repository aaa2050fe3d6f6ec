package dev.holdfast.wire;

import com.google.protobuf.Timestamp;
import dev.holdfast.support.ArgumentCheck;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** The conversion between durations or display times and their messages. */
public final class TimeMessages {
    private TimeMessages() {}

    public static com.google.protobuf.Duration wire(Duration duration) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    public static Timestamp wire(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    public static Duration duration(String field, com.google.protobuf.Duration wire) {
        try {
            return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
        } catch (ArithmeticException e) {
            throw ArgumentCheck.bad(field, wire.getSeconds() + " seconds", "a duration");
        }
    }

    public static Instant instant(String field, Timestamp wire) {
        try {
            return Instant.ofEpochSecond(wire.getSeconds(), wire.getNanos());
        } catch (DateTimeException | ArithmeticException e) {
            throw ArgumentCheck.bad(field, wire.getSeconds() + " seconds", "a time");
        }
    }
}
