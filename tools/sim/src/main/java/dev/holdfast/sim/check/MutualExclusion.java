package dev.holdfast.sim.check;

import dev.holdfast.Key;
import dev.holdfast.sim.world.SimProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Invariant 1: two holders of one key are never both inside their own term.
 *
 * <p>Belief ends by itself as clocks go on, and begins or is prolonged only by a grant or a renewal; so it is enough to
 * look then, at the clocks of all who hold that key.
 */
final class MutualExclusion implements InvariantChecker {
    private final CheckerSet checkerSet;
    private final Map<Key, List<LeaseUser>> believers = new HashMap<>();
    private final Set<Key> evicted = new HashSet<>();

    MutualExclusion(CheckerSet checkerSet) {
        this.checkerSet = checkerSet;
    }

    @Override
    public void granted(SimulatedHolding simulatedHolding) {
        check(simulatedHolding);
    }

    @Override
    public void believes(TokenHolders holding) {
        check(holding);
    }

    @Override
    public void evicting(Key key) {
        evicted.add(key);
    }

    @Override
    public void renewed(SimProcess process) {
        believers.values().forEach(this::check);
    }

    private void check(LeaseUser newest) {
        List<LeaseUser> ofKey = believers.computeIfAbsent(newest.key(), key -> new ArrayList<>());
        ofKey.removeIf(it -> it == newest || (it.isOver() && !it.isBelieved()));
        ofKey.add(newest);
        check(ofKey);
    }

    @Override
    public void gaveUp(SimulatedHolding simulatedHolding) {
        if (simulatedHolding.isBelieved()) {
            checkerSet.violated("1, one holder at a time", simulatedHolding + " is still believed after it was ended");
        }
    }

    private void check(List<LeaseUser> ofKey) {
        List<LeaseUser> believed = ofKey.stream().filter(LeaseUser::isBelieved).toList();
        if (believed.size() > 1 && !evicted.contains(believed.get(0).key())) {
            checkerSet.violated("1, one holder at a time", "held at once: " + believed);
        }
    }
}
