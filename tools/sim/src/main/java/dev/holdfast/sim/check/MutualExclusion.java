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
 * Invariant 1: two holders of one key never have a valid lease at the same time.
 *
 * <p>Validity ends by itself as clocks advance, and begins or is extended only by a grant or a renewal. So it is enough
 * to check at these moments, by the clocks of all holders of the key.
 */
final class MutualExclusion implements InvariantChecker {
    private final CheckerSet checkerSet;
    private final Map<Key, List<LeaseUser>> holders = new HashMap<>();
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
        holders.values().forEach(this::check);
    }

    private void check(LeaseUser newest) {
        List<LeaseUser> ofKey = holders.computeIfAbsent(newest.key(), key -> new ArrayList<>());
        ofKey.removeIf(it -> it == newest || (it.isOver() && !it.isBelieved()));
        ofKey.add(newest);
        check(ofKey);
    }

    @Override
    public void gaveUp(SimulatedHolding simulatedHolding) {
        if (simulatedHolding.isBelieved()) {
            checkerSet.violated("1, one holder at a time", simulatedHolding + " is still valid after it was ended");
        }
    }

    private void check(List<LeaseUser> ofKey) {
        List<LeaseUser> valid = ofKey.stream().filter(LeaseUser::isBelieved).toList();
        if (valid.size() > 1 && !evicted.contains(valid.get(0).key())) {
            checkerSet.violated("1, one holder at a time", "held at the same time: " + valid);
        }
    }
}
