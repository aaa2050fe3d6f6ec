/**
 * Leases in the tables of other tools.
 *
 * <p>A {@code Format} says how one tool writes a lease down; {@code ForeignStore} does the rest, the same for all. Every
 * write of ours is an update on the condition that what the tool itself compares is as we saw it, and so is the one
 * attribute that we add: our {@code Imprint}, which holds what the tool has no place for.
 */
@NullMarked
package dev.holdfast.dynamodb.foreign;

import org.jspecify.annotations.NullMarked;
