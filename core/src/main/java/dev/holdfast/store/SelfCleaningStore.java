package dev.holdfast.store;

/**
 * An optional capability of a {@link LeaseStore}: the store removes long-unused entries by itself, by the same rule as
 * clean-up. Clients then do not clean up in the background, unless configured to.
 */
public interface SelfCleaningStore {}
