/** The stores that the command knows, without a search of the class path. */
@NullMarked
package dev.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
