package dev.holdfast.testkit.pipeline;

import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.SelfCleaningStore;

/** A store that claims to clean up by itself and does not, so that a test can see whether the client does. */
final class CleanStore extends ForwardingStore implements SelfCleaningStore {
    CleanStore(LeaseStore inner) {
        super(inner);
    }
}
