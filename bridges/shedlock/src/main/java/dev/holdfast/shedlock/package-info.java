/** A lock provider for ShedLock: see {@link dev.holdfast.shedlock.HoldfastLockProvider}. */
@NullMarked
package dev.holdfast.shedlock;

import org.jspecify.annotations.NullMarked;
