/**
 * Leases in PostgreSQL.
 *
 * <p>{@code Batch} is the heart: one round trip, one transaction, any number of compare-and-sets. {@code Schema} is the
 * table and how it came to be; {@code Listener} and {@code Wishes} tell those who wait of releases elsewhere.
 */
@NullMarked
package dev.holdfast.postgres;

import org.jspecify.annotations.NullMarked;
