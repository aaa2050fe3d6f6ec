/** The command, the run of client processes, the schedule of faults, and the report. */
@NullMarked
package dev.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
