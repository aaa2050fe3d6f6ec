/** The contract tests of the memory store, in another package like the tests of every other store. */
@NullMarked
package dev.holdfast.testkit.memory;

import org.jspecify.annotations.NullMarked;
