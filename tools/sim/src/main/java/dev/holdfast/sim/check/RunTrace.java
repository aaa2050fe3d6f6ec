package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.sim.fleet.UnitWork;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A trace of every event of a run, printed with {@code -Dsim.trace=true} to analyze a failed seed. It checks nothing.
 */
final class RunTrace implements InvariantChecker {
    private final SimWorld simWorld;

    RunTrace(SimWorld simWorld) {
        this.simWorld = simWorld;
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        say("store", key + ": " + brief(before) + " -> " + brief(after));
    }

    @Override
    public void granted(SimulatedHolding simulatedHolding) {
        say(simulatedHolding.process().name(), "holds " + simulatedHolding);
    }

    @Override
    public void believes(TokenHolders holding) {
        say("token", "holds " + holding + " for " + holding.remaining());
    }

    @Override
    public void gaveUp(SimulatedHolding simulatedHolding) {
        say(simulatedHolding.process().name(), "gives up " + simulatedHolding);
    }

    @Override
    public void began(SimulatedCall simulatedCall) {
        say(simulatedCall.process().name(), "calls " + simulatedCall);
    }

    @Override
    public void answered(SimulatedCall simulatedCall, AcquireResult result) {
        say(simulatedCall.process().name(), simulatedCall + " returns " + result);
    }

    @Override
    public void done(SimulatedCall simulatedCall) {
        say(simulatedCall.process().name(), simulatedCall + " is done");
    }

    @Override
    public void updated(SimulatedCall simulatedCall) {
        say(simulatedCall.process().name(), simulatedCall + " is acknowledged");
    }

    @Override
    public void ended(SimulatedCall simulatedCall) {
        say(simulatedCall.process().name(), simulatedCall + " is over");
    }

    @Override
    public void healed() {
        say("chaos", "all is healed");
    }

    @Override
    public void failed(SimulatedCall simulatedCall, StoreException.Effect effect) {
        say(simulatedCall.process().name(), simulatedCall + " failed: " + effect);
    }

    @Override
    public void worked(UnitWork unitWork) {
        say(unitWork.process().name(), "works on " + unitWork);
    }

    @Override
    public void stopped(UnitWork unitWork) {
        say(unitWork.process().name(), "stopped " + unitWork);
    }

    @Override
    public void struck(String fault) {
        say("chaos", fault);
    }

    private void say(String actor, String event) {
        System.out.printf("%12.6f %-10s %s%n", simWorld.nowNanos() / 1e9, actor, event);
    }

    private static String brief(@Nullable Entry entry) {
        if (entry == null) {
            return "nothing";
        }
        String holder = entry.grant() == null
                ? ""
                : " " + entry.grant().holder() + " for " + entry.grant().term().duration();
        String beat =
                entry.grant() == null ? "" : " beat " + shortened(entry.grant().beat());
        return entry.state() + holder + " fence " + entry.fence() + beat + " version " + shortened(entry.version());
    }

    private static String shortened(Object id) {
        return id.toString().substring(0, 8);
    }
}
