/**
 * A study of how the cost and the speed of a fleet grow with its size, on virtual time. It compares the real fleet with
 * a model of libraries in which every worker scans all leases.
 */
@NullMarked
package dev.holdfast.sim.study;

import org.jspecify.annotations.NullMarked;
