package dev.holdfast.guard.http;

import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.JdbcDialect;
import dev.holdfast.guard.http.GateDecision.Passed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The data of a test's server, with the memory of its gate: a database in a file, closed with its last connection. */
final class AccountTable {
    private final JdbcDataSource dataSource = new JdbcDataSource();
    private final boolean checksInTransaction;

    /** Released when a handler was entered: its request has passed the gate. */
    final CountDownLatch entered = new CountDownLatch(1);

    private AccountTable(Path folder, boolean checksInTransaction) {
        dataSource.setURL("jdbc:h2:" + folder.resolve("accounts") + ";LOCK_TIMEOUT=60000");
        this.checksInTransaction = checksInTransaction;
    }

    /** @param checksInTransaction whether handlers check the fence again, in their own transaction */
    static AccountTable create(Path folder, boolean checksInTransaction) throws SQLException {
        AccountTable table = new AccountTable(folder, checksInTransaction);
        table.execute(FenceGuard.jdbc().createTable(JdbcDialect.H2));
        table.execute("CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL)");
        table.execute("INSERT INTO account VALUES (1, 0), (2, 0)");
        return table;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    int balance(int id) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT balance FROM account WHERE id = " + id)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** @param passed asked for only if handlers check the fence again */
    void write(int id, int balance, Supplier<Passed> passed) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            if (checksInTransaction) {
                FenceGuard.jdbc()
                        .check(connection, passed.get().key(), passed.get().fence());
            }
            statement.execute("UPDATE account SET balance = " + balance + " WHERE id = " + id);
            connection.commit();
        }
    }
}
