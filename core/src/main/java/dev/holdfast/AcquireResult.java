package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The answer to an attempt to acquire a key. */
public sealed interface AcquireResult {
    /** It is ours. */
    record Granted(Lease held) implements AcquireResult {}

    /**
     * Somebody else holds it.
     *
     * @param remaining how long until others may take it, unless its holder renews or releases it; at most its term
     */
    record Held(Key key, Holder holder, Fence fence, Duration remaining) implements AcquireResult {}

    /** It is done: nobody will be granted it until somebody reopens it. */
    record Done(Key key, Instant doneAt) implements AcquireResult {}

    /** The lease, if it was granted. */
    default Optional<Lease> lease() {
        return this instanceof Granted granted ? Optional.of(granted.held()) : Optional.empty();
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
        return lease().orElseThrow(() -> new NotGrantedException(this));
    }
}
