/** Leases that this process holds: their renewal, their warnings, and their end. */
@NullMarked
package dev.holdfast.internal.holding;

import org.jspecify.annotations.NullMarked;
