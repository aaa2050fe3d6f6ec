/** The contender that uses Redis by Redisson. */
@NullMarked
package dev.holdfast.bench.redisson;

import org.jspecify.annotations.NullMarked;
