package dev.holdfast.testkit.pipeline;

import dev.holdfast.store.LeaseStore;

/** A store that claims to clean up by itself and does not, so that a test can see whether the client does. */
final class CleanStore extends ForwardingStore {
    CleanStore(LeaseStore inner) {
        super(inner);
    }

    @Override
    public boolean cleansItself() {
        return true;
    }
}
