/** The stores that the command opens without a class path search. */
@NullMarked
package dev.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
