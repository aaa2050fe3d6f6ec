/**
 * Leases in the tables of other tools, and imports from them. The DynamoDB store finds them by {@code ServiceLoader}.
 *
 * <p>A {@code ForeignFormat} defines how one tool stores a lease; {@code ForeignStore} does the rest, the same for all.
 * Every write of ours is a conditional update. It requires that the attributes that the tool itself compares are as we
 * saw them, and also the one attribute that we add: our {@code EntryImprint}, which holds the values that the tool has
 * no place for.
 */
@NullMarked
package dev.holdfast.dynamodb.layouts;

import org.jspecify.annotations.NullMarked;
