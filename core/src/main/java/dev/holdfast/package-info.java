/**
 * Holdfast: leases for processes on many machines.
 *
 * <p>Start at {@link dev.holdfast.Holdfast#open}, which returns {@link dev.holdfast.Leases}.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
