/**
 * Leases in DynamoDB.
 *
 * <p>{@code Table} is the only class that talks to the service; it counts what it sends and says what an error means. A
 * {@code Layout} is how entries lie in the table: {@code NativeStore} is ours.
 */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
