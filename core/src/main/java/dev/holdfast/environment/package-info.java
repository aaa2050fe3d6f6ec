/**
 * The host environments of production: clocks, timers, threads and random ids. Only this package uses them directly.
 */
@NullMarked
package dev.holdfast.environment;

import org.jspecify.annotations.NullMarked;
