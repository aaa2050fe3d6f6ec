/** Wait queues, and the events that wake them. */
@NullMarked
package dev.holdfast.internal.waiting;

import org.jspecify.annotations.NullMarked;
