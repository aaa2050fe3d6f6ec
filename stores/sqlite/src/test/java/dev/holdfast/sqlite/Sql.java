package dev.holdfast.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Connection of another program to the file, with the driver's own defaults. */
public final class Sql implements AutoCloseable {
    private final Connection connection;

    public Sql(Path file) throws SQLException {
        this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    void run(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns one column of all rows. */
    public List<String> ask(String sql, int column) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(column));
            }
        }
        return found;
    }

    String ask(String sql) throws SQLException {
        return ask(sql, 1).get(0);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
