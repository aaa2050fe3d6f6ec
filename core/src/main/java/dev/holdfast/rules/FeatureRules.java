package dev.holdfast.rules;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.StoreFeature;
import dev.holdfast.UnsupportedFeatureException;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import org.jspecify.annotations.Nullable;

/**
 * The check that a store supports a request, before anything is sent. Carrying out half of a request, or pretending to,
 * would be worse than rejecting it.
 */
public final class FeatureRules {
    private final StoreDialect storeDialect;
    private final boolean isNative;

    public FeatureRules(StoreDialect storeDialect) {
        this.storeDialect = storeDialect;
        this.isNative = storeDialect.equals(StoreDialect.NATIVE);
    }

    /**
     * @throws UnsupportedFeatureException if the request needs a feature that the store lacks
     * @throws IllegalArgumentException if the term is one that the store cannot keep
     */
    public void require(Key key, LeaseRequest leaseRequest) {
        if (isNative) {
            return;
        }
        require(key);
        leaseRequest.require(this, key);
    }

    /** Rejects a key that cannot be stored. */
    public void require(Key key) {
        require(key.isAnchor(), StoreFeature.ANCHORS, key);
        require(!key.namespace().isEmpty(), StoreFeature.NAMESPACES, key);
    }

    /** Rejects a request that needs {@code storeFeature}, if the store lacks it. */
    public void require(StoreFeature storeFeature, @Nullable Key key) {
        require(true, storeFeature, key);
    }

    public boolean has(StoreFeature storeFeature) {
        return !storeDialect.lacks(storeFeature);
    }

    void requireAttributes(AttributePatch attributes, Key key) {
        require(!attributes.isEmpty(), StoreFeature.ATTRIBUTES, key);
    }

    void require(boolean needed, StoreFeature storeFeature, @Nullable Key key) {
        if (needed && storeDialect.lacks(storeFeature)) {
            throw new UnsupportedFeatureException(key, storeFeature, storeDialect.name());
        }
    }

    void requireTerm(Term term) {
        boolean tooShort = term.duration().compareTo(storeDialect.early()) <= 0;
        if (tooShort || term.duration().compareTo(storeDialect.longestTerm()) > 0) {
            throw ArgumentCheck.bad(
                    "term",
                    term.duration(),
                    "> " + storeDialect.early() + " and <= " + storeDialect.longestTerm() + ", as layout "
                            + storeDialect.name() + " shares its table");
        }
    }
}
