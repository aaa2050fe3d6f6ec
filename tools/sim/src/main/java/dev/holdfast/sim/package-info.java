/**
 * The deterministic simulator. One seed is one run: the same processes, faults and order of events, every time. It runs
 * the real engine, rules and keep-alive; only time, chance and the network are simulated.
 */
@NullMarked
package dev.holdfast.sim;

import org.jspecify.annotations.NullMarked;
