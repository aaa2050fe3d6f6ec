package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.StoreException;
import dev.holdfast.sim.world.SimWorld;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Invariant 6: once faults have healed, every call completes, and every key is available, within a stated time. */
final class EventualProgress implements InvariantChecker {
    /** The longest time of a call beyond its limit: to settle a write in doubt, and some more. */
    private static final Duration SETTLED = Duration.ofSeconds(4);

    private final CheckerSet checkerSet;
    private final SimWorld simWorld;
    private final Map<SimulatedCall, Long> pending = new LinkedHashMap<>();

    EventualProgress(CheckerSet checkerSet, SimWorld simWorld) {
        this.checkerSet = checkerSet;
        this.simWorld = simWorld;
    }

    @Override
    public void began(SimulatedCall simulatedCall) {
        pending.put(simulatedCall, simulatedCall.process().life());
    }

    @Override
    public void answered(SimulatedCall simulatedCall, AcquireResult result) {
        pending.remove(simulatedCall);
        if (simulatedCall.isProbe() && result instanceof AcquireResult.HeldByAnother held) {
            checkerSet.violated(
                    "6, keys become available",
                    simulatedCall.key() + " was still held by " + held.holder() + " after " + simulatedCall.limit());
        }
    }

    @Override
    public void done(SimulatedCall simulatedCall) {
        pending.remove(simulatedCall);
    }

    @Override
    public void updated(SimulatedCall simulatedCall) {
        pending.remove(simulatedCall);
    }

    @Override
    public void failed(SimulatedCall simulatedCall, StoreException.Effect effect) {
        pending.remove(simulatedCall);
        if (simulatedCall.isProbe()) {
            checkerSet.violated("6, keys become available", simulatedCall + " failed although all faults had healed");
        }
    }

    @Override
    public void ended(SimulatedCall simulatedCall) {
        pending.remove(simulatedCall);
    }

    @Override
    public void end() {
        pending.forEach((simulatedCall, life) -> {
            long dueNanos = simulatedCall.begunNanos()
                    + simulatedCall.limit().plus(SETTLED).toNanos();
            if (simulatedCall.process().life() == life && dueNanos < simWorld.nowNanos()) {
                checkerSet.violated("6, every call completes", simulatedCall + " never completed");
            }
        });
    }
}
