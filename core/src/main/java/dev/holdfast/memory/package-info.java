/** The store in memory: the reference that every other store is compared with. */
@NullMarked
package dev.holdfast.memory;

import org.jspecify.annotations.NullMarked;
