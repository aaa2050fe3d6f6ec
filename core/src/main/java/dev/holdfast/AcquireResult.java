package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The answer to an attempt to acquire a key. */
public sealed interface AcquireResult {
    /** This client holds the key now. */
    record Granted(Lease lease) implements AcquireResult {}

    /**
     * Another holder has the key.
     *
     * @param remaining the time until others may take it, unless its holder renews or releases it; at most its term
     */
    record HeldByAnother(Key key, Holder holder, Fence fence, Duration remaining)
            implements AcquireResult, EditResult {}

    /** The key is done: it is not granted until it is reopened. */
    record Done(Key key, Instant doneAt) implements AcquireResult {}

    /** The lease; empty if it was not granted. */
    default Optional<Lease> granted() {
        return this instanceof Granted granted ? Optional.of(granted.lease()) : Optional.empty();
    }

    default boolean isGranted() {
        return this instanceof Granted;
    }

    /**
     * The lease.
     *
     * @throws NotGrantedException if it was not granted
     */
    default Lease orThrow() {
        return granted().orElseThrow(() -> new NotGrantedException(this));
    }
}
