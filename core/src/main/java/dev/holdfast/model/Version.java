package dev.holdfast.model;

import java.util.UUID;

/**
 * A fresh id that the writer chooses for every write of an entry, never reused. Comparing versions is the only
 * condition a store knows.
 */
public record Version(UUID id) {
    public static Version of(UUID id) {
        return new Version(id);
    }

    /** Reads what {@link #toString} wrote. */
    public static Version parse(String text) {
        return new Version(Ids.parse("version", text));
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
