/** The contender that uses Redis by Lettuce. */
@NullMarked
package dev.holdfast.bench.lettuce;

import org.jspecify.annotations.NullMarked;
