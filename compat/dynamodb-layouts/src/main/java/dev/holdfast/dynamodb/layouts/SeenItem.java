package dev.holdfast.dynamodb.layouts;

import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Entry with the attributes of its item that the next write needs.
 *
 * @param item the tool's own attributes that change with its writes, our imprint, and the user's attributes with sets
 */
record SeenItem(Entry entry, ForeignItem item) {
    /** Returns whether {@code next} looks the same to the tool: it has the same beat, and is held or free as before. */
    boolean isSameToTheTool(Entry next) {
        return Objects.equals(beat(entry), beat(next)) && entry.state() == next.state();
    }

    private static @Nullable Beat beat(Entry entry) {
        return entry.grant() == null ? null : entry.grant().beat();
    }
}
