package dev.holdfast.store;

import dev.holdfast.support.ArgumentCheck;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fresh id that the writer chooses for every write of an entry, never reused. Comparing versions is the only
 * condition that a store checks.
 */
public record Version(UUID id) {
    public static Version of(UUID id) {
        return new Version(id);
    }

    /** Parses the text of {@link #toString}. */
    public static Version parse(String text) {
        return new Version(ArgumentCheck.id("version", text));
    }

    // Written by hand: the generated methods of a record are linked at their first call. In a short-lived process that
    // takes longer than all its other work with keys and ids.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Version that && id.equals(that.id);
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
