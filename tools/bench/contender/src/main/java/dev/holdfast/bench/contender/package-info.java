/** The process of one lock client in a comparison: its interface, its loads, and the check for overlapping holders. */
@NullMarked
package dev.holdfast.bench.contender;

import org.jspecify.annotations.NullMarked;
