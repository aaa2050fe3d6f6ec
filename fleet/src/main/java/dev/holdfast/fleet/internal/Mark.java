package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Fence;
import java.util.Optional;

/**
 * The state of a key that is granted whenever something is about to change, or has changed. The fence tells grants apart:
 * unlike their number it never begins again, also if the entry is removed after a week without use.
 */
record Mark(Fence fence, boolean held) {
    static Mark of(Optional<LeaseStatus> status) {
        return new Mark(
                status.map(LeaseStatus::fence).orElse(Fence.NONE),
                status.map(LeaseStatus::isHeld).orElse(false));
    }
}
