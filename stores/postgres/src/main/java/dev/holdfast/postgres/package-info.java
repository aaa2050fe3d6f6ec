/**
 * Leases in PostgreSQL.
 *
 * <p>{@code Batch} is the heart: one round trip, one transaction, any number of compare-and-sets. {@code LockedRows} runs
 * batches and isolates rows that other programs lock. {@code Schema} has the tables and their versions; {@code
 * Connections} finds out whether a pooler is in between; {@code Listener} and {@code Wakers} notify waiting clients.
 */
@NullMarked
package dev.holdfast.postgres;

import org.jspecify.annotations.NullMarked;
