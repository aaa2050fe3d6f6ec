package dev.holdfast.dynamodb.foreign;

import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Term;
import dev.holdfast.store.SizeLimits;
import java.time.Duration;
import java.util.Optional;

/** Values of others, within our limits. */
final class ForeignValues {
    private static final Holder UNKNOWN = Holder.of("unknown");
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private ForeignValues() {}

    /** A key; empty if it is more than we can say. */
    static Optional<Key> key(String namespace, String name) {
        try {
            return Optional.of(Key.of(namespace, name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Shown to people only. */
    static Holder holder(String name) {
        try {
            return name.isEmpty() ? UNKNOWN : Holder.of(name);
        } catch (IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    /** The nearest that we can say; where silence is judged by it, it must not be nearer than it is. */
    static Term term(Duration term) {
        Duration millis = Duration.ofMillis(term.toMillis());
        if (millis.compareTo(SHORTEST) < 0) {
            return Term.of(SHORTEST);
        }
        return Term.of(millis.compareTo(SizeLimits.TERM_MAX) > 0 ? SizeLimits.TERM_MAX : millis);
    }
}
