package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.sim.world.World;
import dev.holdfast.spi.StoreException;
import org.jspecify.annotations.Nullable;

/** Checks nothing, but tells all that happens, with {@code -Dsim.trace=true}: to follow a seed that failed. */
final class Trace implements Checker {
    private final World world;

    Trace(World world) {
        this.world = world;
    }

    @Override
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {
        say("store", key + ": " + brief(before) + " -> " + brief(after));
    }

    @Override
    public void granted(Holding holding) {
        say(holding.process().name(), "holds " + holding);
    }

    @Override
    public void believes(TokenHolding holding) {
        say("token", "holds " + holding + " for " + holding.remaining());
    }

    @Override
    public void gaveUp(Holding holding) {
        say(holding.process().name(), "gives up " + holding);
    }

    @Override
    public void began(Operation operation) {
        say(operation.process().name(), "calls " + operation);
    }

    @Override
    public void answered(Operation operation, AcquireResult result) {
        say(operation.process().name(), operation + " is answered " + result);
    }

    @Override
    public void done(Operation operation) {
        say(operation.process().name(), operation + " is done");
    }

    @Override
    public void updated(Operation operation) {
        say(operation.process().name(), operation + " is acknowledged");
    }

    @Override
    public void ended(Operation operation) {
        say(operation.process().name(), operation + " is over");
    }

    @Override
    public void healed() {
        say("chaos", "all is healed");
    }

    @Override
    public void failed(Operation operation, StoreException.Effect effect) {
        say(operation.process().name(), operation + " failed: " + effect);
    }

    @Override
    public void worked(Work work) {
        say(work.process().name(), "works on " + work);
    }

    @Override
    public void stopped(Work work) {
        say(work.process().name(), "stopped " + work);
    }

    @Override
    public void struck(String fault) {
        say("chaos", fault);
    }

    private void say(String who, String what) {
        System.out.printf("%12.6f %-10s %s%n", world.nowNanos() / 1e9, who, what);
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
