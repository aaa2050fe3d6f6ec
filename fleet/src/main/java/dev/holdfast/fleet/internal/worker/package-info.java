/** A worker of a fleet: it follows its assignment, holds its units, and reports. */
@NullMarked
package dev.holdfast.fleet.internal.worker;

import org.jspecify.annotations.NullMarked;
