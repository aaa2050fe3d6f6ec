/** Fleets in the simulator: the real workers and planners, and their faults. */
@NullMarked
package dev.holdfast.sim.fleet;

import org.jspecify.annotations.NullMarked;
