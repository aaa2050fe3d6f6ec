/** Bugs that are planted into a run on purpose: each proves that a checker notices it, or shows it in a replay. */
@NullMarked
package dev.holdfast.sim.bugs;

import org.jspecify.annotations.NullMarked;
