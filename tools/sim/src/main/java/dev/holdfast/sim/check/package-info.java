/** The checkers, one per invariant: each receives every event of a run and reports violations. */
@NullMarked
package dev.holdfast.sim.check;

import org.jspecify.annotations.NullMarked;
