/** Benchmarks, side by side with what one would do instead, in one run. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
