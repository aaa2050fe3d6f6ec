package dev.holdfast.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.accordsql.AccordStatements;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Accord's statements without accord's server: acquire and done, which is all that they are for. */
final class AccordContender implements LockContender {
    private final HikariDataSource pool;
    private final AccordStatements statements;
    private final Duration term;

    AccordContender(HikariDataSource pool, Duration term) throws SQLException {
        this.pool = pool;
        this.term = term;
        this.statements = new AccordStatements(pool);
        SchemaSetup.run(pool, AccordStatements.SCHEMA);
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) throws SQLException {
        String owner = Thread.currentThread().getName();
        return statements.acquire(owner, "bench", name, term).map(id -> new AccordHandle(statements, owner, id));
    }

    @Override
    public boolean hasDone() {
        return true;
    }

    @Override
    public void close() {
        pool.close();
    }

    private record AccordHandle(AccordStatements statements, String owner, UUID id) implements HeldLock {
        @Override
        public void release() {
            throw new UnsupportedOperationException("accord releases by done only");
        }

        @Override
        public void done() throws SQLException {
            statements.done(id, owner);
        }
    }
}
