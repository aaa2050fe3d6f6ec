/**
 * Calls of the user's code, on threads of their own or on the worker's, and the detection of calls that take too long.
 */
@NullMarked
package dev.holdfast.fleet.internal.callback;

import org.jspecify.annotations.NullMarked;
