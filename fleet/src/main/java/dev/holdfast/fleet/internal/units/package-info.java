/** The units of a fleet: their names, attributes and catalog, and how they are listed and changed. */
@NullMarked
package dev.holdfast.fleet.internal.units;

import org.jspecify.annotations.NullMarked;
