/** Commands that check, create and upgrade a store. */
@NullMarked
package dev.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
