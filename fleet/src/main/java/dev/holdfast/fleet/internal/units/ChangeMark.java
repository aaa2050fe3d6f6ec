package dev.holdfast.fleet.internal.units;

import dev.holdfast.Fence;
import dev.holdfast.LeaseStatus;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Grant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a mark: a key that is granted whenever a change is about to happen or has happened.
 *
 * @param fence identifies the grant. Unlike the number of grants it never restarts, even if the entry is removed after
 *     a week without use.
 * @param beat the last renewal. A holder may renew after its term was over, and continue to make changes, as long as no
 *     other holder was granted the key.
 */
public record ChangeMark(Fence fence, @Nullable Beat beat, boolean held) {
    public static ChangeMark of(Optional<LeaseStatus> status) {
        return new ChangeMark(
                status.map(LeaseStatus::fence).orElse(Fence.NONE),
                status.map(found -> found.entry().grant()).map(Grant::beat).orElse(null),
                status.map(LeaseStatus::isHeld).orElse(false));
    }
}
