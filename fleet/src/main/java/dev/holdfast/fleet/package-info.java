/**
 * Partitioned work: units that are spread over the live workers of a fleet.
 *
 * <p>Start at {@link dev.holdfast.fleet.Fleet#of}.
 */
@NullMarked
package dev.holdfast.fleet;

import org.jspecify.annotations.NullMarked;
