package dev.holdfast;

import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of a renewal by token. Immutable; each method returns a changed copy. */
public final class RenewOptions {
    private static final RenewOptions DEFAULTS = new RenewOptions(null, null);

    private final @Nullable Term term;
    private final @Nullable Holder holder;

    private RenewOptions(@Nullable Term term, @Nullable Holder holder) {
        this.term = term;
        this.holder = holder;
    }

    /** The same term and holder as before. */
    public static RenewOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The length of the new term and of later ones. If it is shorter than before, a process that holds the same
     * lease must count the shorter one from now on.
     */
    public RenewOptions term(Duration newTerm) {
        return new RenewOptions(Term.of(newTerm), holder);
    }

    /** The name of the holder from now on. Servers reject a change of it. */
    public RenewOptions holder(String newHolder) {
        return new RenewOptions(term, Holder.of(newHolder));
    }

    /** Empty: as before. */
    public Optional<Term> term() {
        return Optional.ofNullable(term);
    }

    /** Empty: as before. */
    public Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }
}
