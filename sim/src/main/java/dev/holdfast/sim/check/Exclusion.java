package dev.holdfast.sim.check;

import dev.holdfast.model.Key;
import dev.holdfast.sim.world.SimProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Invariant 1: two holders of one key are never both inside their own term.
 *
 * <p>Belief ends by itself as clocks go on, and begins or is prolonged only by a grant or a renewal; so it is enough to
 * look then, at the clocks of all who hold that key.
 */
final class Exclusion implements Checker {
    private final Checks checks;
    private final Map<Key, List<Holding>> holdings = new HashMap<>();

    Exclusion(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void granted(Holding holding) {
        List<Holding> ofKey = holdings.computeIfAbsent(holding.lease().key(), key -> new ArrayList<>());
        ofKey.removeIf(it -> it.isOver() && !it.isBelieved());
        ofKey.add(holding);
        check(ofKey);
    }

    @Override
    public void renewed(SimProcess process) {
        holdings.values().forEach(this::check);
    }

    @Override
    public void gaveUp(Holding holding) {
        if (holding.isBelieved()) {
            checks.violated("1, one holder at a time", holding + " is still believed after it was ended");
        }
    }

    private void check(List<Holding> ofKey) {
        List<Holding> believed = ofKey.stream().filter(Holding::isBelieved).toList();
        if (believed.size() > 1) {
            checks.violated("1, one holder at a time", "held at once: " + believed);
        }
    }
}
