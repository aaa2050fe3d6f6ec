/**
 * A search through every schedule of a small world. The clients decide by the shipped rules; the search chooses which
 * message arrives, is lost or arrives twice, which client crashes, and how much time passes.
 */
@NullMarked
package dev.holdfast.sim.explore;

import org.jspecify.annotations.NullMarked;
