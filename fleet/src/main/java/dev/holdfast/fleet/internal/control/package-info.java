/** The stored orders of operators to a fleet: pauses, drains, the freeze, and moves. */
@NullMarked
package dev.holdfast.fleet.internal.control;

import org.jspecify.annotations.NullMarked;
