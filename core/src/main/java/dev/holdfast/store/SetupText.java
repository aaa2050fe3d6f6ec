package dev.holdfast.store;

/**
 * An optional capability of a {@link StoreProvider}: the commands that prepare a store, for an administrator to run
 * where {@link StoreSetup#init} may not or should not do it.
 */
public interface SetupText {
    /**
     * The commands, in the usual languages for such stores; each part names its language. Does not contact the store.
     *
     * @throws IllegalArgumentException if the URL is invalid
     */
    String setupText(String url);
}
