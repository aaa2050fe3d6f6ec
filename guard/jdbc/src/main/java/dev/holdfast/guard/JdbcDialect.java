package dev.holdfast.guard;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** A database that guards fences. */
public enum JdbcDialect {
    POSTGRESQL("text COLLATE \"C\"", "text COLLATE \"C\"", " ON CONFLICT DO NOTHING"),
    SQLITE("text", "text", " ON CONFLICT DO NOTHING"),
    /** H2 has no insert that leaves an existing row alone: the second of two fails, and that is ignored. */
    H2("varchar(256)", "varchar(1024)", ""),
    /**
     * MariaDB, and MySQL by syntax. Keys are bytes there, as texts may be equal that differ in case or in trailing spaces.
     */
    MARIADB("varbinary(256)", "varbinary(1024)", " ON DUPLICATE KEY UPDATE checks = checks");

    private final String namespaceType;
    private final String nameType;
    private final String unlessPresent;

    JdbcDialect(String namespaceType, String nameType, String unlessPresent) {
        this.namespaceType = namespaceType;
        this.nameType = nameType;
        this.unlessPresent = unlessPresent;
    }

    /**
     * The dialect of a connection.
     *
     * @throws IllegalArgumentException if fences cannot be guarded there
     */
    static JdbcDialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "sqlite" -> SQLITE;
            case "h2" -> H2;
            case "mariadb", "mysql" -> MARIADB;
            default ->
                throw new IllegalArgumentException(
                        "connection: " + product + " (expected: PostgreSQL, SQLite, H2, MariaDB or MySQL)");
        };
    }

    /** The statement that creates the table of fences. */
    String createTable(String table) {
        return "CREATE TABLE " + table + " (\n"
                + "  namespace " + namespaceType + " NOT NULL,\n"
                + "  name " + nameType + " NOT NULL,\n"
                + "  fence bigint NOT NULL,\n"
                // An update that changes nothing counts as no row in some settings of MariaDB, so this always changes.
                + "  checks bigint NOT NULL,\n"
                + "  PRIMARY KEY (namespace, name)\n"
                + ")";
    }

    /** Inserts a row, or leaves the one that is there. Its count of rows tells nothing. */
    String insert(String table) {
        return "INSERT INTO " + table + " (namespace, name, fence, checks) VALUES (?, ?, ?, 0)" + unlessPresent;
    }

    /** Whether {@link #insert} fails if the row is there, without harm to the transaction. */
    boolean insertFailsIfPresent() {
        return this == H2;
    }
}
