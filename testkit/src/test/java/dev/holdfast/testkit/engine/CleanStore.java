package dev.holdfast.testkit.engine;

import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.SelfCleaning;

/** Says that it cleans up by itself, and does not, so that a test sees who does. */
final class CleanStore extends ForwardingStore implements SelfCleaning {
    CleanStore(LeaseStore inner) {
        super(inner);
    }
}
