/**
 * Gets requests decided by the rules and applied by a store: batching, retries, waiting. The engine has no rules of its
 * own.
 */
@NullMarked
package dev.holdfast.internal.engine;

import org.jspecify.annotations.NullMarked;
