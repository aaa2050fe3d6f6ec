/**
 * The SPI for authors of stores: compare-and-set in batches, reads and scans; and the values that stores keep.
 */
@NullMarked
package dev.holdfast.store;

import org.jspecify.annotations.NullMarked;
