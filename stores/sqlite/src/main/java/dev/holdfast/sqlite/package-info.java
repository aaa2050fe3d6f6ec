/**
 * Leases in an SQLite file that the processes of one host share. Users select this store by URL, see {@link
 * dev.holdfast.sqlite.SqliteStoreProvider}; the other classes are internal.
 */
@NullMarked
package dev.holdfast.sqlite;

import org.jspecify.annotations.NullMarked;
