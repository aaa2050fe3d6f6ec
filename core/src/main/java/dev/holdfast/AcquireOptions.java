package dev.holdfast;

import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.Optional;

/**
 * Options of an acquisition. Immutable; each method returns a changed copy of {@link #defaults}.
 *
 * @param term the time without a renewal after which others may take the lease
 * @param holder the name of the holder; empty for the name of the client
 * @param attributes added to the attributes of the key, or replaced there
 * @param isAutoRenew whether to renew in the background; if not, the lease ends after one term unless the caller renews it
 * @param anchor an anchor of the same client that keeps the lease alive; the lease then has the term of the anchor
 */
public record AcquireOptions(
        Duration term, Optional<Holder> holder, Attributes attributes, boolean isAutoRenew, Optional<Anchor> anchor) {
    /** Half a minute: long enough to survive a restart of the store, short enough to wait for. */
    public static final Duration DEFAULT_TERM = Duration.ofSeconds(30);

    private static final AcquireOptions DEFAULTS =
            new AcquireOptions(DEFAULT_TERM, Optional.empty(), Attributes.NONE, true, Optional.empty());

    public AcquireOptions {
        term = Term.of(term).duration();
    }

    /** A term of 30 seconds, renewed in the background, held in the client's name. */
    public static AcquireOptions defaults() {
        return DEFAULTS;
    }

    public AcquireOptions term(Duration newTerm) {
        return new AcquireOptions(newTerm, holder, attributes, isAutoRenew, anchor);
    }

    public AcquireOptions holder(String newHolder) {
        return new AcquireOptions(term, Optional.of(Holder.of(newHolder)), attributes, isAutoRenew, anchor);
    }

    public AcquireOptions attributes(Attributes newAttributes) {
        return new AcquireOptions(term, holder, newAttributes, isAutoRenew, anchor);
    }

    public AcquireOptions autoRenew(boolean newAutoRenew) {
        return new AcquireOptions(term, holder, attributes, newAutoRenew, anchor);
    }

    /** Puts the lease under {@code newAnchor}. */
    public AcquireOptions under(Anchor newAnchor) {
        return new AcquireOptions(term, holder, attributes, isAutoRenew, Optional.of(newAnchor));
    }
}
