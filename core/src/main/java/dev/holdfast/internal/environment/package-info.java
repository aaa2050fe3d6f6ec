/**
 * The host environment of production: its clocks, timers, threads and random ids. Only this package reads them.
 */
@NullMarked
package dev.holdfast.internal.environment;

import org.jspecify.annotations.NullMarked;
