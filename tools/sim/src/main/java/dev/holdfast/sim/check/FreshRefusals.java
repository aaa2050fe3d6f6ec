package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A check that a refusal reports a state of the key between the request and the response, not an older one. */
final class FreshRefusals extends InvariantChecker {
    private final Map<Key, List<Spell>> past = new HashMap<>();

    /** The state of a key from a certain time on. */
    private record Spell(long fromNanos, LeaseState state, Fence fence) {
        boolean is(LeaseState wanted, Fence wantedFence) {
            return state == wanted && (wanted == LeaseState.DONE || fence.equals(wantedFence));
        }
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        Spell spell = after == null
                ? new Spell(nowNanos(), LeaseState.FREE, Fence.NONE)
                : new Spell(nowNanos(), after.state(), after.fence());
        past.computeIfAbsent(key, it -> new ArrayList<>()).add(spell);
    }

    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        if (result instanceof AcquireResult.HeldByAnother held) {
            require(call, LeaseState.HELD, held.fence());
        } else if (result instanceof AcquireResult.Done) {
            require(call, LeaseState.DONE, Fence.NONE);
        }
    }

    private void require(SimulatedCall call, LeaseState leaseState, Fence fence) {
        List<Spell> spells = past.getOrDefault(call.key(), List.of());
        for (int i = spells.size() - 1; i >= 0; i--) {
            if (spells.get(i).is(leaseState, fence)) {
                return;
            }
            if (spells.get(i).fromNanos <= call.begunNanos()) {
                break;
            }
        }
        violated(
                "refusals are fresh",
                call + " was refused with " + leaseState + ", a state that had ended before the call");
    }
}
