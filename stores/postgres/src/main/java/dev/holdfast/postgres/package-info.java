/**
 * Leases in PostgreSQL.
 *
 * <p>{@code PostgresBatch} is the heart: one round trip, one transaction, any number of compare-and-sets. {@code
 * LockedRows} runs batches and isolates rows that other programs lock. {@code PostgresSchema} has the tables and their
 * versions. {@code PostgresConnections} detects a connection pooler. {@code ReleaseListener} notifies waiting
 * clients.
 */
@NullMarked
package dev.holdfast.postgres;

import org.jspecify.annotations.NullMarked;
