package dev.holdfast.fleet.internal.units;

import dev.holdfast.Fence;
import dev.holdfast.LeaseStatus;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Grant;
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
public record ChangeMark(Fence fence, @Nullable Beat beat, boolean held) {
    public static ChangeMark of(Optional<LeaseStatus> status) {
        return new ChangeMark(
                status.map(LeaseStatus::fence).orElse(Fence.NONE),
                status.map(found -> found.entry().grant()).map(Grant::beat).orElse(null),
                status.map(LeaseStatus::isHeld).orElse(false));
    }
}
