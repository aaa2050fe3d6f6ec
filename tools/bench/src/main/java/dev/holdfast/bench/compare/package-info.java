/** The comparison of Holdfast with other lock clients: opponents, loads and rounds. */
@NullMarked
package dev.holdfast.bench.compare;

import org.jspecify.annotations.NullMarked;
