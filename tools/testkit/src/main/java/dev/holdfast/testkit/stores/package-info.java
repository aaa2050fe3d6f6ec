/** The contract tests of a store. */
@NullMarked
package dev.holdfast.testkit.stores;

import org.jspecify.annotations.NullMarked;
