package dev.holdfast.sim.check;

import dev.holdfast.sim.world.SimWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Invariant 5: a holder is notified by its own client when its term is over. {@code isHeld} returns false immediately.
 * The callback runs when its timer fires, which after a machine's sleep is at the next renewal at the latest.
 */
final class LossReported implements InvariantChecker {
    private final CheckerSet checkerSet;
    private final SimWorld simWorld;
    private final List<SimulatedHolding> holdings = new ArrayList<>();
    private final Map<SimulatedHolding, Long> overSince = new HashMap<>();

    LossReported(CheckerSet checkerSet, SimWorld simWorld) {
        this.checkerSet = checkerSet;
        this.simWorld = simWorld;
    }

    @Override
    public void granted(SimulatedHolding simulatedHolding) {
        holdings.add(simulatedHolding);
    }

    @Override
    public void tick() {
        holdings.removeIf(SimulatedHolding::isOver);
        for (SimulatedHolding simulatedHolding : holdings) {
            if (!simulatedHolding.isLossUnreported()) {
                overSince.remove(simulatedHolding);
                continue;
            }
            long since = overSince.computeIfAbsent(simulatedHolding, it -> simWorld.nowNanos());
            if (simWorld.nowNanos() - since > simulatedHolding.lease().term().toNanos() / 2) {
                checkerSet.violated(
                        "5, a holder is notified of its loss", "no notification to the holder of " + simulatedHolding);
            }
        }
    }
}
