/** The reports that workers and the planner of a fleet write for each other, and the plan's parts. */
@NullMarked
package dev.holdfast.fleet.internal.reports;

import org.jspecify.annotations.NullMarked;
