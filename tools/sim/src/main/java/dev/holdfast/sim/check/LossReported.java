package dev.holdfast.sim.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Invariant 5: a holder is notified by its own client when its term is over. {@code isHeld} returns false immediately.
 * The callback runs when its timer fires, which after a machine's sleep is at the next renewal at the latest.
 */
final class LossReported extends InvariantChecker {
    private final List<SimulatedHolding> holdings = new ArrayList<>();
    private final Map<SimulatedHolding, Long> overSince = new HashMap<>();

    @Override
    public void granted(PossibleHolder user) {
        if (user instanceof SimulatedHolding holding) {
            holdings.add(holding);
        }
    }

    @Override
    public void tick() {
        holdings.removeIf(SimulatedHolding::isOver);
        for (SimulatedHolding holding : holdings) {
            if (!holding.isLossUnreported()) {
                overSince.remove(holding);
                continue;
            }
            long since = overSince.computeIfAbsent(holding, it -> nowNanos());
            if (nowNanos() - since > holding.lease().term().toNanos() / 2) {
                violated("5, a holder is notified of its loss", "no notification to the holder of " + holding);
            }
        }
    }
}
