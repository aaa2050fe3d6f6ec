package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/** A checker that watches a run for violations of one invariant. Each method reports an event of the run. */
public abstract class InvariantChecker {
    @SuppressWarnings("NullAway.Init") // set when the checker is added to a run
    private InvariantCheckers checks;

    final void watch(InvariantCheckers checkerSet) {
        checks = checkerSet;
    }

    protected final void violated(String invariant, String details) {
        checks.violated(invariant, details);
    }

    /** The virtual time. */
    protected final long nowNanos() {
        return checks.nowNanos();
    }

    /** The code of a process is from before histories. */
    public void olderCode(SimProcess process) {}

    /** A process writes the next change; null for a transaction on the database of the store. */
    public void writing(@Nullable SimProcess process) {}

    /** The store applied a change. */
    public void changed(Key key, @Nullable Entry before, @Nullable Entry after) {}

    /** A process was granted a lease, or renewed it by token, and considers it valid from now on. */
    public void granted(PossibleHolder user) {}

    /**
     * An operator is about to evict a key: then two holders may consider their leases valid, as the operator intends.
     */
    public void evicting(Key key) {}

    /** A process renewed a lease, which extends the validity of it and of the leases that it anchors. */
    public void renewed() {}

    /** A process has made a call. */
    public void began(SimulatedCall call) {}

    /** A call has ended in a way that no other event reports. */
    public void ended(SimulatedCall call) {}

    /** A process received the result of an acquire. */
    public void answered(SimulatedCall call, AcquireResult result) {}

    /** A process received the response that its key is done, or that its update was applied. */
    public void acknowledged(SimulatedCall call) {}

    /** A process has just called release, done or detach. */
    public void gaveUp(SimulatedHolding holding) {}

    /** A call failed because of the store. */
    public void failed(SimulatedCall call, Effect effect) {}

    /** A worker of a fleet begins to work on a unit. */
    public void worked(UnitWork work) {}

    /** A worker of a fleet has stopped working on a unit. */
    public void stopped(UnitWork work) {}

    /** A fault was injected. */
    public void struck(String fault) {}

    /** All faults have healed, and no more will be injected. */
    public void healed() {}

    /** Some time has passed. */
    public void tick() {}

    /** All faults have healed, and all processes have had time to recover. */
    public void end() {}
}
