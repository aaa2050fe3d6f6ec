package dev.holdfast.model;

import dev.holdfast.internal.Check;
import java.util.UUID;

/** Reads the ids of tokens, versions and beats. */
final class Ids {
    private static final int CANONICAL_LENGTH = 36;

    private Ids() {}

    static UUID parse(String field, String text) {
        try {
            // UUID.fromString also takes shortened forms such as "1-1-1-1-1"; those are typing errors to us.
            if (text.length() == CANONICAL_LENGTH) {
                return UUID.fromString(text);
            }
        } catch (IllegalArgumentException e) {
            throw Check.bad(field, text, "a UUID such as 123e4567-e89b-42d3-a456-426614174000");
        }
        throw Check.bad(field, text, "a UUID such as 123e4567-e89b-42d3-a456-426614174000");
    }
}
