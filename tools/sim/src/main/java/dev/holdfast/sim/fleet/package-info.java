/** Fleets in the simulator: the real workers and planners, and what strikes them. */
@NullMarked
package dev.holdfast.sim.fleet;

import org.jspecify.annotations.NullMarked;
