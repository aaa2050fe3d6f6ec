/** The simulated world: virtual time, processes with clocks of their own, a network, a store, and what goes wrong. */
@NullMarked
package dev.holdfast.sim.world;

import org.jspecify.annotations.NullMarked;
