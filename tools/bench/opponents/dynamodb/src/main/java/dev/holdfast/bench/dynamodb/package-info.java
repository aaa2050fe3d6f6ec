/** The contender that uses DynamoDB by the Amazon DynamoDB Lock Client. */
@NullMarked
package dev.holdfast.bench.dynamodb;

import org.jspecify.annotations.NullMarked;
