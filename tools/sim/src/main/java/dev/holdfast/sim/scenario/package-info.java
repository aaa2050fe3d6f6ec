/** The scenarios: the ways in which simulated processes use leases. */
@NullMarked
package dev.holdfast.sim.scenario;

import org.jspecify.annotations.NullMarked;
