package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** Thrown when the store lacks a feature that the request needs. Nothing was sent. */
public final class UnsupportedFeatureException extends HoldfastException {
    private final StoreFeature storeFeature;

    /** @param layout the name of the layout that lacks the feature */
    public UnsupportedFeatureException(@Nullable Key key, StoreFeature storeFeature, String layout) {
        super(key, storeFeature.lackOf(layout), null);
        this.storeFeature = storeFeature;
    }

    /** The missing feature. */
    public StoreFeature power() {
        return storeFeature;
    }
}
