package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.store.Term;
import dev.holdfast.store.SizeLimits;
import java.time.Duration;
import java.util.Optional;

/** Conversion of values of other tools to values within our limits. */
final class ForeignValues {
    private static final Holder UNKNOWN = Holder.of("unknown");
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private ForeignValues() {}

    /** Returns a key; empty if it exceeds our limits. */
    static Optional<Key> key(String namespace, String name) {
        try {
            return Optional.of(Key.of(namespace, name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns a holder, which is only for display. */
    static Holder holder(String name) {
        try {
            return name.isEmpty() ? UNKNOWN : Holder.of(name);
        } catch (IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    /**
     * Returns the nearest term that we can represent. If expiry is judged by it, it must not be shorter than the
     * original.
     */
    static Term term(Duration term) {
        Duration millis = Duration.ofMillis(term.toMillis());
        if (millis.compareTo(SHORTEST) < 0) {
            return Term.of(SHORTEST);
        }
        return Term.of(millis.compareTo(SizeLimits.TERM_MAX) > 0 ? SizeLimits.TERM_MAX : millis);
    }
}
