package dev.holdfast.internal.engine;

import dev.holdfast.model.Beat;
import dev.holdfast.model.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The versions that one call has written, over all its attempts. By them it knows its own grants again.
 *
 * <p>A caller may ask through another client, or another server, with the same token. The call that finds such a grant
 * renews it, but must not give it back: the other call may have been answered, and its caller relies on it.
 *
 * <p>Thread-safe.
 */
final class CallWrites {
    private final List<Version> versions = new ArrayList<>(1);

    synchronized void add(Version version) {
        versions.add(version);
    }

    /** Whether a grant, or its last renewal, was written by this call. */
    synchronized boolean made(Beat beat) {
        return versions.stream().anyMatch(version -> Objects.equals(version.id(), beat.id()));
    }
}
