package dev.holdfast.postgres;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import dev.holdfast.StoreException;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.TransactionalDone;
import dev.holdfast.service.TransactionalDone.CommitOutcome;
import dev.holdfast.support.ArgumentCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Processes a key exactly once: the work writes to the PostgreSQL database that the leases are in, and the key is marked
 * done in the same transaction. Both are committed, or neither is. A crash at any point leaves the work undone, and the key
 * free for another worker, or the work done and the key marked.
 *
 * <pre>{@code
 * try (Leases leases = Holdfast.open("postgresql://app@db/shop");
 *         TransactionalOnce once = TransactionalOnce.on(leases)) {
 *     once.run(Key.of("orders", id), dataSource, (connection, lease) -> ship(connection, id));
 * }
 * }</pre>
 *
 * <p>What a caller must know:
 *
 * <ul>
 *   <li>The work must not commit or roll back. A rollback to a savepoint after {@link Claim#markDone} undoes the mark.
 *   <li>A key is claimed before the transaction's first statement. Under REPEATABLE READ and SERIALIZABLE, a transaction
 *       with an older snapshot fails (40001) and can be repeated.
 *   <li>Once means for as long as done keys are kept: see {@link dev.holdfast.CleanUpOptions}.
 *   <li>Only what the transaction writes is exactly once. Mails and calls of other services are not.
 *   <li>The leases may come from a server, but the connection goes to the database itself. Its role needs SELECT and UPDATE
 *       on the store's tables, and bypasses the permissions of the server.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class TransactionalOnce implements AutoCloseable {
    private final Leases leases;
    private final LeaseService service;
    private final PostgresSchema schema;
    private final Duration term;
    private final Duration settleTime;
    /** The statements for each database whose tables were checked. */
    private final Map<String, JdbcTransaction.MarkStatements> checked = new ConcurrentHashMap<>();

    /** Guarded by this; null until it is needed. */
    private @Nullable Anchor anchor;

    /** Guarded by this. */
    private boolean closed;

    private TransactionalOnce(Leases leases, PostgresSchema schema, Duration term, Duration settleTime) {
        this.leases = leases;
        this.service = LeaseService.of(leases);
        this.schema = schema;
        this.term = term;
        this.settleTime = settleTime;
    }

    /** @param leases on PostgreSQL, or of a server on PostgreSQL; not closed by {@link #close} */
    public static TransactionalOnce on(Leases leases) {
        return new TransactionalOnce(
                leases,
                new PostgresSchema(PostgresUrl.DEFAULT_SCHEMA),
                AcquireOptions.DEFAULT_TERM,
                Duration.ofSeconds(30));
    }

    /** With the store's tables in another schema than {@code holdfast}. */
    public TransactionalOnce schema(String name) {
        return new TransactionalOnce(leases, new PostgresSchema(name), term, settleTime);
    }

    /** With another term: after a crash, the keys of this process are free for others when it has passed. */
    public TransactionalOnce term(Duration newTerm) {
        return new TransactionalOnce(leases, schema, newTerm, settleTime);
    }

    /** With another limit for finding out how a transaction ended whose commit was not answered; 30 seconds by default. */
    public TransactionalOnce settleTime(Duration newTime) {
        return new TransactionalOnce(
                leases, schema, term, ArgumentCheck.notNegative("settleTime", newTime, Duration.ofDays(1)));
    }

    /** Work in a transaction, with a result. */
    @FunctionalInterface
    public interface TransactionWork<T extends @Nullable Object> {
        T run(Connection connection, Lease lease) throws Exception;
    }

    /** Work in a transaction, without a result. */
    @FunctionalInterface
    public interface TransactionAction {
        void run(Connection connection, Lease lease) throws Exception;
    }

    /** Runs an action that has no result, as {@link #call} does. */
    public Once.Result<?> run(Key key, DataSource dataSource, TransactionAction action) throws Exception {
        return call(key, dataSource, (connection, lease) -> {
            action.run(connection, lease);
            return key;
        });
    }

    /**
     * Runs {@code work} in a transaction on a connection of {@code dataSource}, marks the key done, and commits. Does nothing
     * if the key is done, or held by another holder.
     *
     * @throws LeaseLostException if another holder was granted the key; nothing was committed
     * @throws SQLException if the transaction was rolled back; the key is free, and the call can be repeated
     * @throws StoreException if its effect is unknown, the transaction may have been committed; the next call of the same key
     *     tells
     * @throws Exception thrown by {@code work}; nothing was committed
     */
    public <T extends @Nullable Object> Once.Result<T> call(Key key, DataSource dataSource, TransactionWork<T> work)
            throws Exception {
        AcquireResult result = tryAcquire(key);
        if (result instanceof AcquireResult.Done done) {
            return new Once.Result.AlreadyDone<>(done);
        }
        if (result instanceof AcquireResult.HeldByAnother held) {
            return new Once.Result.HeldElsewhere<>(held);
        }
        try (Claim claim = new Claim(result.orThrow());
                Connection connection = dataSource.getConnection()) {
            return new Once.Result.Ran<>(transact(claim, connection, work));
        }
    }

    private <T extends @Nullable Object> T transact(Claim claim, Connection connection, TransactionWork<T> work)
            throws Exception {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        T value;
        try {
            value = work.run(connection, claim.lease());
            claim.markDone(connection);
        } catch (Throwable e) {
            undo(connection, autoCommit, e);
            throw e;
        }
        try {
            connection.commit();
        } catch (SQLException e) {
            undo(connection, autoCommit, e);
            if (claim.settle() == CommitOutcome.ROLLED_BACK) {
                throw e;
            }
            return value;
        }
        claim.committed();
        connection.setAutoCommit(autoCommit);
        return value;
    }

    private static void undo(Connection connection, boolean autoCommit, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Claims a key, for a transaction that the caller manages: see {@link Claim}.
     *
     * @return null if the key is done, or held by another holder
     */
    public @Nullable Claim tryClaim(Key key) {
        return tryAcquire(key).granted().map(Claim::new).orElse(null);
    }

    private AcquireResult tryAcquire(Key key) {
        return leases.tryAcquire(key, AcquireOptions.defaults().under(anchor()));
    }

    /** One anchor for all keys of this object. A lost one is replaced. */
    private synchronized Anchor anchor() {
        if (closed) {
            throw new IllegalStateException("this TransactionalOnce is closed");
        }
        if (anchor == null || !anchor.isHeld()) {
            anchor = leases.anchor("once-" + service.environment().randomId(), term);
        }
        return anchor;
    }

    private synchronized @Nullable Anchor currentAnchor() {
        return anchor;
    }

    /**
     * A key that is claimed for one transaction. In a transaction that a framework manages:
     *
     * <ol>
     *   <li>Claim the key before the transaction begins.
     *   <li>Call {@link #markDone} right before the commit, as its last statement ({@code beforeCommit} in Spring).
     *   <li>After the commit, call {@link #committed}; after a failed one, {@link #settle}.
     *   <li>Close the claim when the transaction has ended. A claim that was not committed is released then.
     * </ol>
     */
    public final class Claim implements AutoCloseable {
        private final TransactionalDone done;
        private boolean ended;

        private Claim(Lease lease) {
            this.done = new TransactionalDone(service, lease);
        }

        public Lease lease() {
            return done.lease();
        }

        /**
         * Marks the key done in the transaction of {@code connection}. From now on the lock on its row keeps other holders
         * out, so this must be the last statement before the commit.
         *
         * @throws LeaseLostException if another holder was granted the key; the transaction must be rolled back
         * @throws IllegalStateException if the connection is in auto-commit mode, or the transaction is read-only
         * @throws IllegalArgumentException if the connection goes to another database than that of the leases
         */
        public void markDone(Connection connection) throws SQLException {
            JdbcTransaction.requireTransaction(connection);
            String database = connection.getMetaData().getURL();
            JdbcTransaction.MarkStatements sql = checked.get(database);
            if (sql == null) {
                sql = JdbcTransaction.statements(schema, connection);
                checked.put(database, sql);
            }
            JdbcTransaction transaction = new JdbcTransaction(sql, connection);
            try {
                done.mark(transaction, AttributePatch.NONE);
            } catch (LeaseLostException e) {
                requireSameDatabase(transaction, connection.getCatalog());
                throw e;
            } catch (StoreException e) {
                if (e.getCause() instanceof SQLException cause) {
                    throw cause; // The caller's transaction failed, not the store.
                }
                throw e;
            }
        }

        /** The anchor is in the database of the leases, so a database without it is another one. */
        private void requireSameDatabase(JdbcTransaction transaction, String database) {
            Anchor through = currentAnchor();
            if (through != null && through.isHeld() && !transaction.has(through.key(), through.fence())) {
                throw new IllegalArgumentException("connection: database " + database + ", schema " + schema.name()
                        + " (expected: the database and schema that the leases are in)");
            }
        }

        /** Notes that the transaction was committed. */
        public void committed() {
            ended = true;
            done.noteCommitted();
        }

        /**
         * Finds out how the transaction ended, after a commit that failed or was not answered. Waits until the server has ended
         * the transaction.
         *
         * @throws StoreException of unknown effect, if there is no answer in time
         */
        public CommitOutcome settle() {
            try {
                CommitOutcome outcome = done.settle(settleTime).join();
                ended = true;
                return outcome;
            } catch (CompletionException e) {
                throw e.getCause() instanceof StoreException failure ? failure : e;
            }
        }

        @Override
        public void close() {
            if (!ended) {
                done.release();
            }
        }
    }

    /** Releases the claims that are open, by one write. Transactions under way can still be committed, until others claim them. */
    @Override
    public void close() {
        Anchor last;
        synchronized (this) {
            closed = true;
            last = anchor;
        }
        if (last != null) {
            last.close();
        }
    }
}
