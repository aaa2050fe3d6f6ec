package dev.holdfast.testkit.engine;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.SelfCleaningStore;

/** Says that it cleans up by itself, and does not, so that a test sees who does. */
final class CleanStore extends ForwardingStore implements SelfCleaningStore {
    CleanStore(LeaseStore inner) {
        super(inner);
    }
}
