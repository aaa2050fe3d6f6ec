package dev.holdfast.store;

import dev.holdfast.support.ArgumentCheck;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value that changes with every grant and renewal, and with nothing else. A lease has expired when its beat has not
 * changed for long enough. Its value is the id of the write that granted or renewed, so a beat, too, is never reused.
 */
public record Beat(UUID id) {
    public static Beat of(UUID id) {
        return new Beat(id);
    }

    /** The beat of the write that has this version. */
    public static Beat of(Version version) {
        return new Beat(version.id());
    }

    /** Parses the text of {@link #toString}. */
    public static Beat parse(String text) {
        return new Beat(ArgumentCheck.id("beat", text));
    }

    // Written by hand: the generated methods of a record are linked at their first call. In a short-lived process that
    // takes longer than all its other work with keys and ids.
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
