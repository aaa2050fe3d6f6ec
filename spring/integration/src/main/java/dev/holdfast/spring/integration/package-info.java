/** A lock registry for Spring Integration: see {@link dev.holdfast.spring.integration.HoldfastLockRegistry}. */
@NullMarked
package dev.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
