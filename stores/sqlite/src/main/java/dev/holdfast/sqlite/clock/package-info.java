/** The time since boot, which steps of the wall clock do not change. */
@NullMarked
package dev.holdfast.sqlite.clock;

import org.jspecify.annotations.NullMarked;
