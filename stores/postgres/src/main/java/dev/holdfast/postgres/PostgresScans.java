package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import dev.holdfast.store.EntryScan;
import dev.holdfast.store.ScanPage;
import dev.holdfast.store.StoredEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
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

    private final PostgresSchema postgresSchema;
    private final SessionSettings settings;

    PostgresScans(PostgresSchema postgresSchema, SessionSettings settings) {
        this.postgresSchema = postgresSchema;
        this.settings = settings;
    }

    ScanPage run(Connection connection, EntryScan entryScan) throws SQLException {
        int limit = Math.min(entryScan.limit(), PAGE_LIMIT);
        int examinedLimit = entryScan.holder() == null ? limit : EXAMINED_LIMIT;
        List<Object> values = new ArrayList<>();
        String sql = sql(entryScan, examinedLimit, values);
        List<StoredEntry> found = new ArrayList<>();
        try (PreparedStatement statement = settings.prepare(connection, sql)) {
            StatementParameters statementParameters = new StatementParameters(statement);
            for (Object value : values) {
                statementParameters.value(value);
            }
            try (ResultSet rows = settings.run(statement)) {
                @Nullable Key last = null;
                for (int examined = 0; rows.next(); examined++) {
                    if (found.size() == limit || examined == examinedLimit) {
                        return new ScanPage(found, cursor(Objects.requireNonNull(last)));
                    }
                    StoredEntry storedEntry = Objects.requireNonNull(PostgresRows.read(rows, 1));
                    last = storedEntry.entry().key();
                    if (entryScan.matches(storedEntry.entry())) {
                        found.add(storedEntry);
                    }
                }
            }
        }
        return new ScanPage(found, null);
    }

    /**
     * One row more than the limit shows whether there is a next page. The limit is in the text for the planner to see.
     */
    String sql(EntryScan entryScan, int limit, List<Object> values) {
        String from = postgresSchema.entry() + " e WHERE true";
        if (entryScan.token() != null) {
            from = "(SELECT * FROM " + postgresSchema.entry() + " WHERE token = ? OFFSET 0) e WHERE true";
            values.add(entryScan.token().id());
        }
        StringBuilder sql = new StringBuilder("SELECT " + PostgresRows.SELECTED + " FROM " + from);
        if (entryScan.state() != null) {
            sql.append(" AND e.state = ?");
            values.add(entryScan.state().name());
        }
        // The name of the collation decides which indexes can be used: see PostgresSchema.
        String order = entryScan.state() == null ? "\"C\"" : "\"POSIX\"";
        String namespace = "e.namespace COLLATE " + order;
        String name = "e.name COLLATE " + order;
        addRange(entryScan, namespace, name, sql, values);
        return sql.append(" ORDER BY " + namespace + ", " + name + " LIMIT ")
                .append(limit + 1)
                .toString();
    }

    /**
     * A cursor is inside the prefix, so it is the better lower bound. Given both bounds, the server may choose the
     * worse.
     */
    private static void addRange(
            EntryScan entryScan, String namespace, String name, StringBuilder sql, List<Object> values) {
        if (entryScan.cursor() != null) {
            Key last = key(entryScan.cursor());
            sql.append(" AND (" + namespace + ", " + name + ") > (?, ?)");
            values.add(last.namespace());
            values.add(last.name());
        } else if (!entryScan.prefix().isEmpty()) {
            sql.append(" AND " + namespace + " >= ?");
            values.add(entryScan.prefix());
        }
        String end = endOf(entryScan.prefix());
        if (end != null) {
            sql.append(" AND " + namespace + " < ?");
            values.add(end);
        }
    }

    /** Returns the first text after all texts that begin with {@code prefix}; null if there is none. */
    static @Nullable String endOf(String prefix) {
        int[] codePoints = prefix.codePoints().toArray();
        for (int last = codePoints.length - 1; last >= 0; last--) {
            if (codePoints[last] < Character.MAX_CODE_POINT) {
                int next = codePoints[last] + 1;
                // Surrogates are not characters.
                codePoints[last] = next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
                return new String(codePoints, 0, last + 1);
            }
        }
        return null;
    }

    /** NUL cannot be part of a key. */
    private static String cursor(Key last) {
        byte[] bytes = (last.namespace() + '\0' + last.name()).getBytes(UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Key key(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
            int nul = text.indexOf('\0');
            if (nul >= 0) {
                return Key.of(text.substring(0, nul), text.substring(nul + 1));
            }
        } catch (IllegalArgumentException e) {
            throw badCursor(e);
        }
        throw badCursor(null);
    }

    private static IllegalArgumentException badCursor(@Nullable Exception cause) {
        return new IllegalArgumentException(
                "cursor: not a cursor of this store (expected: the cursor of the previous page)", cause);
    }
}
