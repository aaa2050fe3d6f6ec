/** Leases as {@link java.util.concurrent.locks.Lock}: see {@link dev.holdfast.locks.Locks}. */
@NullMarked
package dev.holdfast.locks;

import org.jspecify.annotations.NullMarked;
