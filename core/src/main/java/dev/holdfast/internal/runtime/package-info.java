/** Where clocks, timers, threads and dice are: nowhere else. */
@NullMarked
package dev.holdfast.internal.runtime;

import org.jspecify.annotations.NullMarked;
