package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.StoreException.Effect;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/** Invariant 6: once faults have healed, every call completes, and every key is available, within a stated time. */
final class EventualProgress extends InvariantChecker {
    /** The longest time of a call beyond its limit: to settle a write in doubt, and some more. */
    private static final Duration SETTLED = Duration.ofSeconds(4);

    private final Set<SimulatedCall> pending = new LinkedHashSet<>();

    @Override
    public void began(SimulatedCall call) {
        pending.add(call);
    }

    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        pending.remove(call);
        if (call.isProbe() && result instanceof AcquireResult.HeldByAnother held) {
            violated(
                    "6, keys become available",
                    call.key() + " was still held by " + held.holder() + " after " + call.limit());
        }
    }

    @Override
    public void acknowledged(SimulatedCall call) {
        pending.remove(call);
    }

    @Override
    public void failed(SimulatedCall call, Effect effect) {
        pending.remove(call);
        if (call.isProbe()) {
            violated("6, keys become available", call + " failed although all faults had healed");
        }
    }

    @Override
    public void ended(SimulatedCall call) {
        pending.remove(call);
    }

    @Override
    public void end() {
        for (SimulatedCall call : pending) {
            long dueNanos = call.begunNanos() + call.limit().plus(SETTLED).toNanos();
            if (call.isOfThisLife() && dueNanos < nowNanos()) {
                violated("6, every call completes", call + " never completed");
            }
        }
    }
}
