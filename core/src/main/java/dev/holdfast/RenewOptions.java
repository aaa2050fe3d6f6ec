package dev.holdfast;

import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of a renewal by token. Immutable; each method returns a changed copy. */
public final class RenewOptions {
    private static final RenewOptions DEFAULTS = new RenewOptions(null, null, AttributePatch.NONE);

    private final @Nullable Duration term;
    private final @Nullable Holder holder;
    private final AttributePatch attributes;

    private RenewOptions(@Nullable Duration term, @Nullable Holder holder, AttributePatch attributes) {
        this.term = term;
        this.holder = holder;
        this.attributes = attributes;
    }

    /** The same term, holder and attributes as before. */
    public static RenewOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The length of the new term and of later ones. If it is shorter than before, a process that holds the same
     * lease must count the shorter one from now on.
     */
    public RenewOptions term(Duration newTerm) {
        return new RenewOptions(Term.of(newTerm).duration(), holder, attributes);
    }

    /** The name of the holder from now on. Servers reject a change of it. */
    public RenewOptions holder(String newHolder) {
        return new RenewOptions(term, Holder.of(newHolder), attributes);
    }

    /** Changes the attributes of the key with the same write. */
    public RenewOptions attributes(AttributePatch patch) {
        return new RenewOptions(term, holder, patch);
    }

    /** Empty: as before. */
    public Optional<Duration> term() {
        return Optional.ofNullable(term);
    }

    /** Empty: as before. */
    public Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }

    public AttributePatch attributes() {
        return attributes;
    }
}
