package dev.holdfast.examples;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.JdbcDialect;
import dev.holdfast.guard.JdbcFenceGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/**
 * The stock of a shop, in a database that refuses a holder with an old fence. A holder that was paused between reading and writing,
 * for longer than its term, cannot overwrite the count of its successor. {@code GuardedStock sqlite:/tmp/leases.db
 * jdbc:sqlite:/tmp/shop.db apples 5}
 */
public final class GuardedStock {
    private static final JdbcFenceGuard GUARD = FenceGuard.jdbc();

    private final DataSource dataSource;

    public GuardedStock(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public static void main(String[] args) throws Exception {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl(args[1]);
        GuardedStock stock = new GuardedStock(dataSource);
        stock.createTables(JdbcDialect.SQLITE);
        try (Leases leases = Holdfast.open(args[0])) {
            leases.run(
                    keyOf(args[2]),
                    AcquireOptions.defaults(),
                    Duration.ofSeconds(30),
                    lease -> stock.add(lease, args[2], Integer.parseInt(args[3])));
        }
        System.out.println(args[2] + ": " + stock.count(args[2]));
    }

    /** The guard offers the statement for its table, and leaves it to the application to run it. */
    public void createTables(JdbcDialect dialect) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("stock", "holdfast_fence")) {
                try (ResultSet found = connection.getMetaData().getTables(null, null, table, null)) {
                    if (!found.next()) {
                        statement.execute(
                                table.equals("stock")
                                        ? "CREATE TABLE stock (article VARCHAR(100) PRIMARY KEY, pieces INTEGER NOT NULL)"
                                        : GUARD.createTable(dialect));
                    }
                }
            }
        }
    }

    /** The key that a process must hold to change the count of an article. */
    public static Key keyOf(String article) {
        return Key.of("stock", article);
    }

    /** Adds pieces to an article. Nothing is written if the fence of the lease is no longer the newest. */
    public void add(Lease lease, String article, int pieces) throws Exception {
        GUARD.inTransaction(dataSource, lease, connection -> {
            int sum = count(connection, article) + pieces;
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM stock WHERE article = ?");
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO stock VALUES (?, ?)")) {
                delete.setString(1, article);
                delete.executeUpdate();
                insert.setString(1, article);
                insert.setInt(2, sum);
                insert.executeUpdate();
            }
        });
    }

    public int count(String article) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return count(connection, article);
        }
    }

    private static int count(Connection connection, String article) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT pieces FROM stock WHERE article = ?")) {
            select.setString(1, article);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }
}
