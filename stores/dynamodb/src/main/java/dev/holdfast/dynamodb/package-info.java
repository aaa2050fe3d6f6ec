/**
 * Leases in DynamoDB.
 *
 * <p>{@code DynamoTable} is the only class that sends requests to the service; it counts them and interprets errors. A
 * {@code TableLayout} defines how entries are stored in the table; {@code NativeTableStore} uses our own.
 */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
