package dev.holdfast.rules;

import java.time.Instant;

/**
 * A point in time on both clocks of one machine: the ticker, which may stop in sleep, and the wall clock, which may
 * jump.
 */
public record ClockReading(long nanos, Instant wall) {}
