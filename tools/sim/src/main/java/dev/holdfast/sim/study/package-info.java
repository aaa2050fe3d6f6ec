/**
 * How the cost and the speed of a fleet grow with its size, on virtual time: the real fleet, beside a model of the way
 * of those in which every worker scans everything.
 */
@NullMarked
package dev.holdfast.sim.study;

import org.jspecify.annotations.NullMarked;
