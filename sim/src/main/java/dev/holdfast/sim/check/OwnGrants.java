package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An acquire is never refused because of the grant that it wrote itself. */
final class OwnGrants implements Checker {
    private final Checks checks;
    private final Map<Grant, Long> grantedBy = new HashMap<>();

    OwnGrants(Checks checks) {
        this.checks = checks;
    }

    private record Grant(Key key, Fence fence) {}

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after != null && after.state() == State.HELD) {
            Acknowledgements.mark(after, Acknowledgements.GRANTED_BY)
                    .ifPresent(id -> grantedBy.putIfAbsent(new Grant(key, after.fence()), id));
        }
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        if (result instanceof AcquireResult.Held held
                && grantedBy.getOrDefault(new Grant(held.key(), held.fence()), 0L) == operation.id()) {
            checks.violated(
                    "not refused by one's own grant", operation + " was refused because of fence " + held.fence());
        }
    }
}
