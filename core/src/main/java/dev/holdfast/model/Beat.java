package dev.holdfast.model;

import java.util.UUID;

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
        return new Beat(Ids.parse("beat", text));
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
