package dev.holdfast.sim.check;

import dev.holdfast.sim.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Invariant 5: a holder whose term is over learns of it by itself. {@code isHeld} says so at once; the callback comes
 * when its timer does, which after a machine's sleep is at the next renewal at the latest.
 */
final class LossTold implements Checker {
    private final Checks checks;
    private final World world;
    private final List<Holding> holdings = new ArrayList<>();
    private final Map<Holding, Long> overSince = new HashMap<>();

    LossTold(Checks checks, World world) {
        this.checks = checks;
        this.world = world;
    }

    @Override
    public void granted(Holding holding) {
        holdings.add(holding);
    }

    @Override
    public void tick() {
        holdings.removeIf(Holding::isOver);
        for (Holding holding : holdings) {
            if (!holding.shouldHaveTold()) {
                overSince.remove(holding);
                continue;
            }
            long since = overSince.computeIfAbsent(holding, it -> world.nowNanos());
            if (world.nowNanos() - since > holding.lease().term().toNanos() / 2) {
                checks.violated("5, a holder is told of its loss", "nobody told the holder of " + holding);
            }
        }
    }
}
