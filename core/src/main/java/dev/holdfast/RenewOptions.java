package dev.holdfast;

import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of a renewal by token. Immutable; each method returns a changed copy of {@link #defaults}.
 *
 * @param term the length of the new term and of later ones; empty: as before. If it is shorter than before, a process that
 *     holds the same lease must count the shorter one from now on
 * @param holder the name of the holder from now on; empty: as before. Servers reject a change of it
 * @param attributes changes the attributes of the key with the same write
 */
public record RenewOptions(Optional<Duration> term, Optional<Holder> holder, AttributePatch attributes) {
    private static final RenewOptions DEFAULTS =
            new RenewOptions(Optional.empty(), Optional.empty(), AttributePatch.NONE);

    public RenewOptions {
        term = term.map(it -> Term.of(it).duration());
    }

    /** The same term, holder and attributes as before. */
    public static RenewOptions defaults() {
        return DEFAULTS;
    }

    public RenewOptions term(Duration newTerm) {
        return new RenewOptions(Optional.of(newTerm), holder, attributes);
    }

    public RenewOptions holder(String newHolder) {
        return new RenewOptions(term, Optional.of(Holder.of(newHolder)), attributes);
    }

    public RenewOptions attributes(AttributePatch patch) {
        return new RenewOptions(term, holder, patch);
    }
}
