/** Fleets of real processes, which are killed, joined by others, and restarted one by one. */
@NullMarked
package dev.holdfast.examples.process;

import org.jspecify.annotations.NullMarked;
