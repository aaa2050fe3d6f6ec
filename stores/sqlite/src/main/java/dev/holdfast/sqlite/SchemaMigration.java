package dev.holdfast.sqlite;

import dev.holdfast.support.ArgumentCheck;
import java.util.List;

/**
 * One step of the schema, with the versions of Holdfast that can use a file after it.
 *
 * @param minReader the oldest schema version with code that can still read the file
 * @param minWriter the oldest schema version with code that can still read and write the file; at least {@code
 * minReader}
 */
record SchemaMigration(int minReader, int minWriter, List<String> statements) {
    SchemaMigration {
        if (minReader < 1 || minWriter < minReader) {
            throw ArgumentCheck.bad("min_writer", minWriter, ">= min_reader " + minReader + " >= 1");
        }
        statements = List.copyOf(statements);
    }
}
