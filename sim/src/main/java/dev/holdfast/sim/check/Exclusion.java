package dev.holdfast.sim.check;

import dev.holdfast.model.Key;
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
final class Exclusion implements Checker {
    private final Checks checks;
    private final Map<Key, List<Believer>> believers = new HashMap<>();
    private final Set<Key> evicted = new HashSet<>();

    Exclusion(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void granted(Holding holding) {
        check(holding);
    }

    @Override
    public void believes(TokenHolding holding) {
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

    private void check(Believer newest) {
        List<Believer> ofKey = believers.computeIfAbsent(newest.key(), key -> new ArrayList<>());
        ofKey.removeIf(it -> it == newest || (it.isOver() && !it.isBelieved()));
        ofKey.add(newest);
        check(ofKey);
    }

    @Override
    public void gaveUp(Holding holding) {
        if (holding.isBelieved()) {
            checks.violated("1, one holder at a time", holding + " is still believed after it was ended");
        }
    }

    private void check(List<Believer> ofKey) {
        List<Believer> believed = ofKey.stream().filter(Believer::isBelieved).toList();
        if (believed.size() > 1 && !evicted.contains(believed.get(0).key())) {
            checks.violated("1, one holder at a time", "held at once: " + believed);
        }
    }
}
