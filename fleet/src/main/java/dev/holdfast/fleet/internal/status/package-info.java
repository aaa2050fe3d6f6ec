/** Readers of a fleet's state, for any process: its status, the outlook of a unit, and the progress of a drain. */
@NullMarked
package dev.holdfast.fleet.internal.status;

import org.jspecify.annotations.NullMarked;
