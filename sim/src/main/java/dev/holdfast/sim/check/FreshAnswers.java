package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.sim.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A refusal tells what was so at some time between the question and the answer, not what had been so before. */
final class FreshAnswers implements Checker {
    private final Checks checks;
    private final World world;
    private final Map<Key, List<Spell>> past = new HashMap<>();

    FreshAnswers(Checks checks, World world) {
        this.checks = checks;
        this.world = world;
    }

    /** What a key was, from when on. */
    private record Spell(long fromNanos, State state, Fence fence) {
        boolean is(State wanted, Fence wantedFence) {
            return state == wanted && (wanted == State.DONE || fence.equals(wantedFence));
        }
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        Spell spell = after == null
                ? new Spell(world.nowNanos(), State.FREE, Fence.NONE)
                : new Spell(world.nowNanos(), after.state(), after.fence());
        past.computeIfAbsent(key, it -> new ArrayList<>()).add(spell);
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        if (result instanceof AcquireResult.Held held) {
            require(operation, State.HELD, held.fence());
        } else if (result instanceof AcquireResult.Done) {
            require(operation, State.DONE, Fence.NONE);
        }
    }

    private void require(Operation operation, State state, Fence fence) {
        List<Spell> spells = past.getOrDefault(operation.key(), List.of());
        for (int i = spells.size() - 1; i >= 0; i--) {
            if (spells.get(i).is(state, fence)) {
                return;
            }
            if (spells.get(i).fromNanos <= operation.begunNanos()) {
                break;
            }
        }
        checks.violated("refusals are fresh", operation + " was told " + state + ", which it had ceased to be before");
    }
}
