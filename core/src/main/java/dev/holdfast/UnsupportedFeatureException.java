package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** What was asked for cannot be kept where the leases live. Nothing was sent. */
public final class UnsupportedFeatureException extends HoldfastException {
    private final StoreFeature storeFeature;

    /** @param layout the name of what lacks the power */
    public UnsupportedFeatureException(@Nullable Key key, StoreFeature storeFeature, String layout) {
        super(key, storeFeature.lackOf(layout), null);
        this.storeFeature = storeFeature;
    }

    /** What is lacking. */
    public StoreFeature power() {
        return storeFeature;
    }
}
