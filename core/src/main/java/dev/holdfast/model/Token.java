package dev.holdfast.model;

import java.util.UUID;

/**
 * The proof of one grant. It changes when ownership changes, not on renewal; whoever knows it may renew, release and
 * finish the lease, so keep it from those who should not.
 */
public record Token(UUID id) {
    public static Token of(UUID id) {
        return new Token(id);
    }

    /** Reads what {@link #toString} wrote. */
    public static Token parse(String text) {
        return new Token(Ids.parse("token", text));
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
