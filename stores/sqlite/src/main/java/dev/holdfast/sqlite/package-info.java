/**
 * Leases in an SQLite file that the processes of one host share. Users name it by URL, see {@link
 * dev.holdfast.sqlite.SqliteStoreProvider}; all else here is for nobody else.
 */
@NullMarked
package dev.holdfast.sqlite;

import org.jspecify.annotations.NullMarked;
