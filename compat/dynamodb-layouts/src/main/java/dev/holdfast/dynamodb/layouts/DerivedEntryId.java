package dev.holdfast.dynamodb.layouts;

import dev.holdfast.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Ids for items of tools that have no such ids. The same content gives the same id in every process. */
final class DerivedEntryId {
    private DerivedEntryId() {}

    static UUID of(String... parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            text.append(part.length()).append(':').append(part);
        }
        return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    static UUID of(Attributes attributes) {
        // Built again, because the bytes of equal attributes differ if some were stored as a set.
        return UUID.nameUUIDFromBytes(Attributes.of(attributes.asMap()).encoded());
    }

    /** Returns {@code text} itself if it is a UUID in the usual form; otherwise a UUID derived from it. */
    static UUID ofText(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equals(text) ? id : of(text);
        } catch (IllegalArgumentException e) {
            return of(text);
        }
    }
}
