package dev.holdfast.sim.check;

import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Invariant 2: fences of a key strictly increase in grant order, also across release, deletion and clean-up. */
final class FenceOrder implements Checker {
    private final Checks checks;
    private final Map<Key, Fence> highest = new HashMap<>();

    FenceOrder(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after == null || after.state() != State.HELD || after.grant() == null) {
            return;
        }
        boolean sameGrant = before != null && before.isHeldBy(after.grant().token());
        Fence last = highest.getOrDefault(key, Fence.NONE);
        if (sameGrant ? !after.fence().equals(last) : !after.fence().isAbove(last)) {
            checks.violated(
                    "2, fences grow with every grant",
                    key + " was granted with fence " + after.fence() + " after " + last);
        }
        highest.put(key, after.fence());
    }
}
