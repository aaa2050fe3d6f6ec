/** Benchmarks that measure Holdfast and its alternatives side by side, in one run. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
