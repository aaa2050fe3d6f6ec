package dev.holdfast.spring;

import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.Unit;

/**
 * The work of this application in a fleet: a bean of this type for each section {@code holdfast.fleets.NAME}. The application
 * joins the fleet when it has started, and hands its units over before it stops.
 */
public interface FleetWork {
    /** The name of the fleet. */
    String fleet();

    /** Starts the work on a unit, on another thread, and returns: see {@link FleetBuilder#onAssigned}. */
    void assigned(Unit unit);

    /** Stops the work on a unit: see {@link FleetBuilder#onRevoked}. */
    void revoked(Unit unit);

    /** Sets further options, such as a strategy or a listener. Called last, so it has precedence over the properties. */
    default void configure(FleetBuilder builder) {}
}
