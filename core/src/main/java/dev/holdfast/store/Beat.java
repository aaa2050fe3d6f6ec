package dev.holdfast.store;

import dev.holdfast.internal.IdText;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes with every grant and renewal, and with nothing else; silence is judged by it. Its value is the id of the
 * write that granted or renewed, so that a beat, too, is never seen twice.
 */
public record Beat(UUID id) {
    public static Beat of(UUID id) {
        return new Beat(id);
    }

    /** The beat of the write that has this version. */
    public static Beat of(Version version) {
        return new Beat(version.id());
    }

    /** Reads what {@link #toString} wrote. */
    public static Beat parse(String text) {
        return new Beat(IdText.parse("beat", text));
    }

    // By hand: what the compiler makes for a record is linked at its first call, which takes a short-lived process
    // longer
    // than all else that it does with keys and ids.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Beat that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
