package dev.holdfast.client.link;

import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import dev.holdfast.rules.ClockReading;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a server to a call.
 *
 * @param message null if the token does not hold the key
 * @param lost why the token does not hold the key; null if it does
 * @param sent when the attempt that got this reply was sent
 */
public record ServerReply<R>(@Nullable R message, @Nullable LostReason lost, ClockReading sent, ClockReading answered) {
    /** @throws StoreException if the message cannot be read */
    public <T> T read(Function<R, T> reader) {
        try {
            return reader.apply(Objects.requireNonNull(message));
        } catch (IllegalArgumentException e) {
            throw StoreException.unknown("unreadable response: " + e.getMessage(), e);
        }
    }
}
