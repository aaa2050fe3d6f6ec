/** Stores as real processes and files, with the faults that they can suffer. */
@NullMarked
package dev.holdfast.chaos.backend;

import org.jspecify.annotations.NullMarked;
