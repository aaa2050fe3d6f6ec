/** The contenders that use Holdfast. */
@NullMarked
package dev.holdfast.bench.holdfast;

import org.jspecify.annotations.NullMarked;
