package dev.holdfast.internal.pipeline;

import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The versions that one call has written, over all its attempts, and whether one of them was granted. By the versions
 * it recognizes its own grants.
 *
 * <p>A caller may send the same token through another client, or another server. The call that finds such a grant
 * renews it, but must not release it: the other call may have been answered, and its caller relies on it. The same
 * holds for two attempts of one call: an attempt that is answered after the grant was delivered must not release it.
 *
 * <p>Thread-safe.
 */
public final class CallWrites {
    private final List<Version> versions = new ArrayList<>(1);
    private boolean delivered;

    synchronized void add(Version version) {
        versions.add(version);
    }

    /** Notes that a grant is about to be delivered to the caller; false if one was delivered before. */
    public synchronized boolean deliver() {
        boolean first = !delivered;
        delivered = true;
        return first;
    }

    public synchronized boolean isDelivered() {
        return delivered;
    }

    /** Whether the grant of a held entry, or its last renewal, was written by this call. */
    public synchronized boolean made(Entry held) {
        Beat beat = Objects.requireNonNull(held.grant()).beat();
        return versions.stream().anyMatch(version -> Beat.of(version).equals(beat));
    }
}
