package dev.holdfast;

import dev.holdfast.support.ArgumentCheck;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The proof of one grant. It changes when ownership changes, not on renewal. Every process that has it may renew, release
 * and finish the lease, so keep it secret.
 */
public record Token(UUID id) {
    /** Stands for a token that is not shown to the caller. It never holds a key. */
    public static final Token HIDDEN = new Token(new UUID(0, 0));

    private static final int SHOWN_CHARS = 8;

    public static Token of(UUID id) {
        return new Token(id);
    }

    /** Reads the text of {@link #secret}. */
    public static Token parse(String text) {
        return new Token(ArgumentCheck.id("token", text));
    }

    // Written by hand: the generated methods of a record are linked at their first call. That takes a short-lived
    // process longer than all its other work with keys and ids.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Token that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /** The whole token as text, for requests, stores and its holder. Do not log it: it is all that a thief needs. */
    public String secret() {
        return id.toString();
    }

    /** Enough of the token to recognize it in a log, and too little to use it. */
    @Override
    public String toString() {
        return id.toString().substring(0, SHOWN_CHARS) + "...";
    }
}
