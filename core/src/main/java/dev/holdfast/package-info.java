/**
 * Holdfast: who holds what, and until when.
 *
 * <p>Start at {@link dev.holdfast.Holdfast#open}; what you get is {@link dev.holdfast.Leases}.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;
