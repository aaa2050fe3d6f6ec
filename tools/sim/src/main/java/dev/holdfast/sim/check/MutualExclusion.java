package dev.holdfast.sim.check;

import dev.holdfast.Key;
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
final class MutualExclusion extends InvariantChecker {
    private final Map<Key, List<PossibleHolder>> holders = new HashMap<>();
    private final Set<Key> evicted = new HashSet<>();

    @Override
    public void granted(PossibleHolder newest) {
        List<PossibleHolder> ofKey = holders.computeIfAbsent(newest.key(), key -> new ArrayList<>());
        ofKey.removeIf(it -> it == newest || (it.isOver() && !it.isValid()));
        ofKey.add(newest);
        check(ofKey);
    }

    @Override
    public void evicting(Key key) {
        evicted.add(key);
    }

    @Override
    public void renewed() {
        holders.values().forEach(this::check);
    }

    @Override
    public void gaveUp(SimulatedHolding holding) {
        if (holding.isValid()) {
            violated("1, one holder at a time", holding + " is still valid after it was ended");
        }
    }

    private void check(List<PossibleHolder> ofKey) {
        List<PossibleHolder> valid =
                ofKey.stream().filter(PossibleHolder::isValid).toList();
        if (valid.size() > 1 && !evicted.contains(valid.get(0).key())) {
            violated("1, one holder at a time", "held at the same time: " + valid);
        }
    }
}
