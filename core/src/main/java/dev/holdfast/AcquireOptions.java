package dev.holdfast;

import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of an acquisition. Immutable; each method returns a changed copy. */
public final class AcquireOptions {
    /** Half a minute: long enough to survive a restart of the store, short enough to wait for. */
    public static final Duration DEFAULT_TERM = Duration.ofSeconds(30);

    private static final AcquireOptions DEFAULTS = new AcquireOptions(DEFAULT_TERM, null, Attributes.NONE, true, null);

    private final Duration term;
    private final @Nullable Holder holder;
    private final Attributes attributes;
    private final boolean autoRenew;
    private final @Nullable Anchor anchor;

    private AcquireOptions(
            Duration term, @Nullable Holder holder, Attributes attributes, boolean autoRenew, @Nullable Anchor anchor) {
        this.term = term;
        this.holder = holder;
        this.attributes = attributes;
        this.autoRenew = autoRenew;
        this.anchor = anchor;
    }

    /** A term of 30 seconds, renewed in the background, held in the client's name. */
    public static AcquireOptions defaults() {
        return DEFAULTS;
    }

    /** The time without a renewal after which others may take the lease. */
    public AcquireOptions term(Duration newTerm) {
        return new AcquireOptions(Term.of(newTerm).duration(), holder, attributes, autoRenew, anchor);
    }

    /** The name of the holder; by default the name of the client. */
    public AcquireOptions holder(String newHolder) {
        return new AcquireOptions(term, Holder.of(newHolder), attributes, autoRenew, anchor);
    }

    /** Attributes that the grant adds to those of the key, or replaces. */
    public AcquireOptions attributes(Attributes newAttributes) {
        return new AcquireOptions(term, holder, newAttributes, autoRenew, anchor);
    }

    /** Whether to renew in the background; if not, the lease ends after one term unless the caller renews it. */
    public AcquireOptions autoRenew(boolean newAutoRenew) {
        return new AcquireOptions(term, holder, attributes, newAutoRenew, anchor);
    }

    /** Puts the lease under {@code newAnchor}, an anchor of the same client. The lease then has the term of the anchor. */
    public AcquireOptions under(Anchor newAnchor) {
        return new AcquireOptions(term, holder, attributes, autoRenew, newAnchor);
    }

    public Duration term() {
        return term;
    }

    public Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }

    public Attributes attributes() {
        return attributes;
    }

    public boolean isAutoRenew() {
        return autoRenew;
    }

    public Optional<Anchor> anchor() {
        return Optional.ofNullable(anchor);
    }
}
