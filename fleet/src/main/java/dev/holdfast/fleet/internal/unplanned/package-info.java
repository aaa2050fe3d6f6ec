/**
 * Workers of fleets without a planner, which share a table with workers of other tools. Only {@code FleetBuilder} uses
 * this package, so that it can be removed.
 */
@NullMarked
package dev.holdfast.fleet.internal.unplanned;

import org.jspecify.annotations.NullMarked;
