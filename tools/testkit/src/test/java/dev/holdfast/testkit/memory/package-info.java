/** The contracts, held against the memory store: in another package, as those of other stores are. */
@NullMarked
package dev.holdfast.testkit.memory;

import org.jspecify.annotations.NullMarked;
