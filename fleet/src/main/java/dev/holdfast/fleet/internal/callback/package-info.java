/**
 * Calls of the user's code: on a thread of their own or on the worker's, and the watch over calls that take long.
 */
@NullMarked
package dev.holdfast.fleet.internal.callback;

import org.jspecify.annotations.NullMarked;
