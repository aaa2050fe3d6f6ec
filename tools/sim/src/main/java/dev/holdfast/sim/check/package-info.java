/** One checker per invariant: each sees all that happens, and says what must not have. */
@NullMarked
package dev.holdfast.sim.check;

import org.jspecify.annotations.NullMarked;
