package dev.holdfast.postgres;

import dev.holdfast.StoreException;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.importing.SourceRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Handles in accord's own table, {@code resource_handles}, in the order of its unique index on namespace and name. A
 * page is one query, so accord can keep serving meanwhile, and each row is read once.
 *
 * <p>The clock of the database decides how long a handle is still held.
 */
public final class AccordHandles implements ImportSource {
    private static final int PAGE = 1_000;

    /** The schema of accord's tables, unless the URL names another. */
    private static final String SCHEMA = "public";

    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_COLUMN = "42703";

    private final Connection connection;
    private final String table;
    private @Nullable AccordHandleRow last;
    private boolean atEnd;

    private AccordHandles(Connection connection, String table) {
        this.connection = connection;
        this.table = table;
    }

    /**
     * Connects to accord's database. The parameter {@code schema} of the URL names the schema of its tables.
     *
     * @throws IllegalArgumentException if the URL is invalid; the message contains the expected form
     * @throws StoreException if the database cannot be reached
     */
    public static AccordHandles open(String url) {
        PostgresUrl parsed = PostgresUrl.parse(url, SCHEMA);
        try {
            return new AccordHandles(PostgresConnections.single(parsed), '"' + parsed.schema() + "\".resource_handles");
        } catch (SQLException e) {
            throw PostgresErrors.connecting(e);
        }
    }

    @Override
    public OptionalLong count() {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            rows.next();
            return OptionalLong.of(rows.getLong(1));
        } catch (SQLException e) {
            throw error(e);
        }
    }

    @Override
    public Optional<List<SourceRow>> next() {
        if (atEnd) {
            return Optional.empty();
        }
        try (PreparedStatement statement = connection.prepareStatement(sql())) {
            if (last != null) {
                statement.setString(1, last.namespace());
                statement.setString(2, last.name());
            }
            List<SourceRow> rows = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    AccordHandleRow row = AccordHandleRow.read(found);
                    rows.add(SourceRow.of(row.shown(), row::toImportedRow));
                    last = row;
                }
            }
            atEnd = rows.size() < PAGE;
            return Optional.of(rows);
        } catch (SQLException e) {
            throw error(e);
        }
    }

    private String sql() {
        return "SELECT " + AccordHandleRow.SELECTED + " FROM " + table + " h"
                + (last == null ? "" : " WHERE (h.namespace, h.name) > (?, ?)")
                + " ORDER BY h.namespace, h.name LIMIT " + PAGE;
    }

    private StoreException error(SQLException e) {
        String state = PostgresErrors.state(e);
        if (state.equals(UNDEFINED_TABLE) || state.equals(UNDEFINED_COLUMN)) {
            return StoreException.rejected(
                    "PostgreSQL: " + table + " is no table of accord's (expected: the database of accord's backend;"
                            + " schema= in the URL names a schema other than " + SCHEMA + ")",
                    e);
        }
        return PostgresErrors.reading(e);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            // Nothing was written, so nothing can be lost.
        }
    }
}
