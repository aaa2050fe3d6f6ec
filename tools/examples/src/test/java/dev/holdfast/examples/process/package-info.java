/** Fleets of real processes: killed, joined by others, restarted one by one. */
@NullMarked
package dev.holdfast.examples.process;

import org.jspecify.annotations.NullMarked;
