/**
 * Metrics and traces of leases, through Micrometer. {@link dev.holdfast.micrometer.LeaseMeters} are the meters of a client.
 * {@link dev.holdfast.micrometer.ObservedLeases} makes one observation for each acquire, which tracing libraries such as
 * OpenTelemetry turn into a span.
 */
@NullMarked
package dev.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
