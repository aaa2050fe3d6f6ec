/** Timers of requests: their deadlines, and the pauses between attempts. */
@NullMarked
package dev.holdfast.internal.timing;

import org.jspecify.annotations.NullMarked;
