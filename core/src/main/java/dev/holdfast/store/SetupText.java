package dev.holdfast.store;

/**
 * An optional power of a {@link StoreProvider}: to say what somebody else is to run so that the store is prepared, where
 * {@link StoreSetup#init} may not or shall not do it.
 */
public interface SetupText {
    /**
     * What to run, in the languages that people prepare such stores in; each part says which. Asks nobody.
     *
     * @throws IllegalArgumentException if the URL is not understood
     */
    String setupText(String url);
}
