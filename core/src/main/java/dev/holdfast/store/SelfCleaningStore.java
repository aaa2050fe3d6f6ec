package dev.holdfast.store;

/**
 * An optional power of a {@link LeaseStore}: entries that nobody has used for long go by themselves, by the same rule as
 * clean-up. Clients then do not clean up in the background, unless told to.
 */
public interface SelfCleaningStore {}
