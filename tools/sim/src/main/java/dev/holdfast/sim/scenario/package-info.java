/** What the simulated processes do with their leases. */
@NullMarked
package dev.holdfast.sim.scenario;

import org.jspecify.annotations.NullMarked;
