/** The execution of a worker's steps, of series of store calls, and of the user's callbacks. */
@NullMarked
package dev.holdfast.fleet.internal.execution;

import org.jspecify.annotations.NullMarked;
