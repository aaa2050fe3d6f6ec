/**
 * The deterministic simulator. One seed is one run: the same processes, faults and order of events, every time. It runs
 * the real pipeline, rules and renewal; only time, randomness and the network are simulated.
 */
@NullMarked
package dev.holdfast.sim;

import org.jspecify.annotations.NullMarked;
