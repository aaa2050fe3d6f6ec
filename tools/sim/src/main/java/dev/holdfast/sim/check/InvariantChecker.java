package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.sim.fleet.UnitWork;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/** A checker that watches a run for violations of one invariant. */
public interface InvariantChecker {
    /** The store applied a change. */
    default void changed(Key key, @Nullable Entry before, @Nullable Entry after) {}

    /** A process was granted a lease, and considers it valid from now on. */
    default void granted(SimulatedHolding simulatedHolding) {}

    /** A process that holds a key by token received a grant or a renewal. */
    default void believes(TokenHolders holding) {}

    /**
     * An operator is about to evict a key: then two holders may consider their leases valid, as the operator intends.
     */
    default void evicting(Key key) {}

    /** A process renewed a lease, which extends the validity of it and of the leases that it anchors. */
    default void renewed(SimProcess process) {}

    /** A process has made a call. */
    default void began(SimulatedCall simulatedCall) {}

    /** A call has ended in a way that no other event reports. */
    default void ended(SimulatedCall simulatedCall) {}

    /** A process received the result of an acquire. */
    default void answered(SimulatedCall simulatedCall, AcquireResult result) {}

    /** A process received the response that its key is done. */
    default void done(SimulatedCall simulatedCall) {}

    /** An update of a process was acknowledged. */
    default void updated(SimulatedCall simulatedCall) {}

    /** A process has just called release, done or detach. */
    default void gaveUp(SimulatedHolding simulatedHolding) {}

    /** A call failed because of the store. */
    default void failed(SimulatedCall simulatedCall, StoreException.Effect effect) {}

    /** A worker of a fleet begins to work on a unit. */
    default void worked(UnitWork unitWork) {}

    /** A worker of a fleet has stopped working on a unit. */
    default void stopped(UnitWork unitWork) {}

    /** A fault was injected. */
    default void struck(String fault) {}

    /** All faults have healed, and no more will be injected. */
    default void healed() {}

    /** Some time has passed. */
    default void tick() {}

    /** All faults have healed, and all processes have had time to recover. */
    default void end() {}
}
