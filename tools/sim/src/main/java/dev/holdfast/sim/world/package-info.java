/** The simulated world: virtual time, processes with their own clocks, a network, a store, and faults. */
@NullMarked
package dev.holdfast.sim.world;

import org.jspecify.annotations.NullMarked;
