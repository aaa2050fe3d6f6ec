/** Benchmarks with dependencies that must not be packaged. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
