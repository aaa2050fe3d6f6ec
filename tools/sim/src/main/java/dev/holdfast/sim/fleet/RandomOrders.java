package dev.holdfast.sim.fleet;

import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.support.Futures;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** An operator that gives random orders to a simulated fleet, and revokes some of them. Some fail, like other calls. */
final class RandomOrders {
    private static final String REASON = "at random";

    private final SimulatedFleet fleet;

    RandomOrders(SimulatedFleet fleet) {
        this.fleet = fleet;
    }

    void any() {
        switch (fleet.world().random().nextInt(4)) {
            case 0 -> pauseOrResume();
            case 1 -> drainOrUndrain();
            case 2 -> freezeOrThaw();
            default -> moveOrCancel();
        }
    }

    void pauseOrResume() {
        if (!fleet.units().isEmpty()) {
            List<String> units = List.of(fleet.world().pick(fleet.units()));
            give(
                    isOrder()
                            ? fleet.control().pauseAsync(units, REASON)
                            : fleet.control().resumeAsync(units, REASON));
        }
    }

    void drainOrUndrain() {
        String worker = fleet.world().pick(fleet.workers()).name();
        give(
                isOrder()
                        ? fleet.control().drainAsync(worker, REASON)
                        : fleet.control().undrainAsync(worker, REASON));
    }

    void freezeOrThaw() {
        give(isOrder() ? fleet.control().freezeAsync(REASON) : fleet.control().thawAsync(REASON));
    }

    void moveOrCancel() {
        if (!fleet.units().isEmpty()) {
            String unit = fleet.world().pick(fleet.units());
            SimProcess worker = fleet.world().pick(fleet.workers());
            give(
                    isOrder()
                            ? fleet.control().moveAsync(unit, worker.name(), REASON)
                            : fleet.control().cancelMoveAsync(unit, REASON));
        }
    }

    private boolean isOrder() {
        return fleet.world().chance(0.6);
    }

    private static void give(CompletionStage<?> order) {
        Futures.whenDone(order, (changed, error) -> {});
    }
}
