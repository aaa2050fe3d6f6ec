package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseStatus;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key that is granted whenever something is about to change, or has changed.
 *
 * @param fence tells grants apart: unlike their number it never begins again, also if the entry is removed after a week
 *     without use
 * @param beat the last renewal: a holder whose term was over may renew, and go on to change things, as long as the key was
 *     granted to no other
 */
record Mark(Fence fence, @Nullable Beat beat, boolean held) {
    static Mark of(Optional<LeaseStatus> status) {
        return new Mark(
                status.map(LeaseStatus::fence).orElse(Fence.NONE),
                status.map(found -> found.entry().grant()).map(Grant::beat).orElse(null),
                status.map(LeaseStatus::isHeld).orElse(false));
    }
}
