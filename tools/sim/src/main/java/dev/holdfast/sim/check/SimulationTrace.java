package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A trace of every event of a run, printed with {@code -Dsim.trace=true} to analyze a failed seed. It checks nothing.
 */
final class SimulationTrace extends InvariantChecker {
    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        say("store", key + ": " + brief(before) + " -> " + brief(after));
    }

    @Override
    public void granted(PossibleHolder user) {
        say("client", "holds " + user);
    }

    @Override
    public void gaveUp(SimulatedHolding holding) {
        say(holding.process().name(), "gives up " + holding);
    }

    @Override
    public void began(SimulatedCall call) {
        say(call.process().name(), "calls " + call);
    }

    @Override
    public void answered(SimulatedCall call, AcquireResult result) {
        say(call.process().name(), call + " returns " + result);
    }

    @Override
    public void acknowledged(SimulatedCall call) {
        say(call.process().name(), call + " is acknowledged");
    }

    @Override
    public void ended(SimulatedCall call) {
        say(call.process().name(), call + " is over");
    }

    @Override
    public void healed() {
        say("chaos", "all is healed");
    }

    @Override
    public void failed(SimulatedCall call, StoreException.Effect effect) {
        say(call.process().name(), call + " failed: " + effect);
    }

    @Override
    public void worked(UnitWork work) {
        say(work.process().name(), "works on " + work);
    }

    @Override
    public void stopped(UnitWork work) {
        say(work.process().name(), "stopped " + work);
    }

    @Override
    public void struck(String fault) {
        say("chaos", fault);
    }

    private void say(String actor, String event) {
        System.out.printf("%12.6f %-10s %s%n", nowNanos() / 1e9, actor, event);
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
