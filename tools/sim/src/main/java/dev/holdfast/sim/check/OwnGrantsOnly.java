package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A check that an acquire is never refused because of the grant that it wrote itself. */
final class OwnGrantsOnly extends InvariantChecker {
    private final Map<Grant, Long> grantedBy = new HashMap<>();

    private record Grant(Key key, Fence fence) {}

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null && after.state() == LeaseState.HELD) {
            AcknowledgedWrites.mark(after, AcknowledgedWrites.GRANTED_BY)
                    .ifPresent(id -> grantedBy.putIfAbsent(new Grant(key, after.fence()), id));
        }
    }

    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        if (result instanceof AcquireResult.HeldByAnother held
                && grantedBy.getOrDefault(new Grant(held.key(), held.fence()), 0L) == call.id()) {
            violated(
                    "an acquire is not refused because of its own grant",
                    call + " was refused because of fence " + held.fence());
        }
    }
}
