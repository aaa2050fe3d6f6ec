package dev.holdfast.support;

import java.util.UUID;

/** The parser for the ids of tokens, versions and beats. */
public final class IdText {
    private static final int CANONICAL_LENGTH = 36;

    private IdText() {}

    public static UUID parse(String field, String text) {
        try {
            // UUID.fromString also accepts shortened forms such as "1-1-1-1-1". Here they are typing errors.
            if (text.length() == CANONICAL_LENGTH) {
                return UUID.fromString(text);
            }
        } catch (IllegalArgumentException e) {
            throw ArgumentCheck.bad(field, text, "a UUID such as 123e4567-e89b-42d3-a456-426614174000");
        }
        throw ArgumentCheck.bad(field, text, "a UUID such as 123e4567-e89b-42d3-a456-426614174000");
    }
}
