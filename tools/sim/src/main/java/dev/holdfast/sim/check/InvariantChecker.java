package dev.holdfast.sim.check;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.StoreException;
import dev.holdfast.sim.fleet.UnitWork;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/** Watches a run for one kind of wrong. */
public interface InvariantChecker {
    /** The store applied a change. */
    default void changed(Key key, @Nullable Entry before, @Nullable Entry after) {}

    /** A process was given a lease, and from now on believes in it. */
    default void granted(SimulatedHolding simulatedHolding) {}

    /** A process was told of a grant or a renewal of what it has the token of. */
    default void believes(TokenHolders holding) {}

    /** An operator is about to take a key away by force: then two may believe, as the operator wants it. */
    default void evicting(Key key) {}

    /** A process renewed a lease, and may believe in it, and in all that it anchors, for longer. */
    default void renewed(SimProcess process) {}

    /** A process has called. */
    default void began(SimulatedCall simulatedCall) {}

    /** A call is over in a way that no other event tells. */
    default void ended(SimulatedCall simulatedCall) {}

    /** A process was answered. */
    default void answered(SimulatedCall simulatedCall, AcquireResult result) {}

    /** A process was told that its key is done. */
    default void done(SimulatedCall simulatedCall) {}

    /** An update of a process was acknowledged. */
    default void updated(SimulatedCall simulatedCall) {}

    /** A process has just called release, done or detach. */
    default void gaveUp(SimulatedHolding simulatedHolding) {}

    /** A process was told that the store is in trouble. */
    default void failed(SimulatedCall simulatedCall, StoreException.Effect effect) {}

    /** A worker of a fleet begins to work on a unit. */
    default void worked(UnitWork unitWork) {}

    /** A worker of a fleet has stopped to work on a unit. */
    default void stopped(UnitWork unitWork) {}

    /** Something went wrong, on purpose. */
    default void struck(String fault) {}

    /** Nothing goes wrong any more. */
    default void healed() {}

    /** Some time has passed. */
    default void tick() {}

    /** All faults have healed, and everybody has had time to recover. */
    default void end() {}
}
