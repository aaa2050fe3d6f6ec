/** The planner of a fleet: it observes workers and units, calls the strategy, and writes the assignments. */
@NullMarked
package dev.holdfast.fleet.internal.planner;

import org.jspecify.annotations.NullMarked;
