package dev.holdfast.store;

import dev.holdfast.internal.IdText;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
        return new Version(IdText.parse("version", text));
    }

    // By hand: what the compiler makes for a record is linked at its first call, which takes a short-lived process
    // longer
    // than all else that it does with keys and ids.
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
