package dev.holdfast.postgres;

import dev.holdfast.Key;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.support.ScanCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scans in pages, in the order of keys. Each uses an index with that order: the index by state, or the primary key. A
 * holder is filtered row by row. A token has few rows, so they are found by token first and then sorted.
 */
final class PostgresScans {
    /** The most entries of a page, because attributes may be large and a page is held in memory. */
    private static final int PAGE_LIMIT = 1000;

    /** The most rows that a page examines, so that it takes a bounded time even if matches are rare. */
    private static final int EXAMINED_LIMIT = 5000;

    private final UsableTables tables;
    private final SessionSettings settings;

    PostgresScans(UsableTables tables, SessionSettings settings) {
        this.tables = tables;
        this.settings = settings;
    }

    ScanPage run(Connection connection, EntryScan scan) throws SQLException {
        int limit = Math.min(scan.limit(), PAGE_LIMIT);
        int examinedLimit = scan.holder() == null ? limit : EXAMINED_LIMIT;
        List<Object> values = new ArrayList<>();
        String sql = sql(scan, examinedLimit, values);
        List<StoredEntry> found = new ArrayList<>();
        try (PreparedStatement statement = settings.prepare(connection, sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet rows = settings.run(statement)) {
                @Nullable Key last = null;
                for (int examined = 0; rows.next(); examined++) {
                    if (found.size() == limit || examined == examinedLimit) {
                        return new ScanPage(found, ScanCursor.after(Objects.requireNonNull(last)));
                    }
                    StoredEntry stored = Objects.requireNonNull(PostgresRows.read(rows, 1));
                    last = stored.entry().key();
                    if (scan.matches(stored.entry())) {
                        found.add(stored);
                    }
                }
            }
        }
        return new ScanPage(found, null);
    }

    /**
     * One row more than the limit shows whether there is a next page. The limit is in the text for the planner to see.
     */
    String sql(EntryScan scan, int limit, List<Object> values) {
        String from = tables.entry() + " e WHERE true";
        if (scan.token() != null) {
            from = "(SELECT * FROM " + tables.entry() + " WHERE token = ? OFFSET 0) e WHERE true";
            values.add(scan.token().id());
        }
        StringBuilder sql = new StringBuilder("SELECT " + tables.selected() + " FROM " + from);
        if (scan.state() != null) {
            sql.append(" AND e.state = ?");
            values.add(scan.state().name());
        }
        // The name of the collation decides which indexes can be used: see PostgresSchema.
        String order = scan.state() == null ? "\"C\"" : "\"POSIX\"";
        String namespace = "e.namespace COLLATE " + order;
        String name = "e.name COLLATE " + order;
        addRange(scan, namespace, name, sql, values);
        return sql.append(" ORDER BY " + namespace + ", " + name + " LIMIT ")
                .append(limit + 1)
                .toString();
    }

    /**
     * A cursor is inside the prefix, so it is the better lower bound. Given both bounds, the server may choose the
     * worse.
     */
    private static void addRange(
            EntryScan scan, String namespace, String name, StringBuilder sql, List<Object> values) {
        if (scan.namePrefix() != null) {
            addNames(scan, namespace, name, sql, values);
            return;
        }
        if (scan.cursor() != null) {
            Key last = ScanCursor.parseKey(scan.cursor());
            sql.append(" AND (" + namespace + ", " + name + ") > (?, ?)");
            values.add(last.namespace());
            values.add(last.name());
        } else if (!scan.prefix().isEmpty()) {
            sql.append(" AND " + namespace + " >= ?");
            values.add(scan.prefix());
        }
        String end = scan.prefixEnd();
        if (end != null) {
            sql.append(" AND " + namespace + " < ?");
            values.add(end);
        }
    }

    /** The names of one namespace: a range of the same index, below the namespace. */
    private static void addNames(
            EntryScan scan, String namespace, String name, StringBuilder sql, List<Object> values) {
        sql.append(" AND " + namespace + " = ?");
        values.add(scan.prefix());
        if (scan.cursor() != null) {
            Key last = ScanCursor.parseKey(scan.cursor());
            if (!last.namespace().equals(scan.prefix())) {
                throw ScanCursor.parse(scan.cursor(), 2).bad();
            }
            sql.append(" AND " + name + " > ?");
            values.add(last.name());
        } else {
            sql.append(" AND " + name + " >= ?");
            values.add(Objects.requireNonNull(scan.namePrefix()));
        }
        String end = scan.namePrefixEnd();
        if (end != null) {
            sql.append(" AND " + name + " < ?");
            values.add(end);
        }
    }
}
