/** Replays: one run of the simulator, recorded and written as a page that a browser shows step by step. */
@NullMarked
package dev.holdfast.sim.replay;

import org.jspecify.annotations.NullMarked;
