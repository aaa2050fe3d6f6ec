package dev.holdfast.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import dev.holdfast.bench.contender.PollingWait;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's lock registry, with the statement that it advises for PostgreSQL. */
final class SpringLockContender implements LockContender {
    private static final Duration SHORT_WAIT = Duration.ofSeconds(3);

    private final HikariDataSource pool;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    SpringLockContender(HikariDataSource pool, ContenderSettings settings) throws SQLException {
        this.pool = pool;
        SchemaSetup.run(pool, """
                CREATE TABLE IF NOT EXISTS int_lock (
                  lock_key char(36) NOT NULL,
                  region varchar(100) NOT NULL,
                  client_id char(36),
                  created_date timestamp NOT NULL,
                  expired_after timestamp NOT NULL,
                  PRIMARY KEY (lock_key, region))
                """);
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository, settings.term());
        registry.setIdleBetweenTries(PollingWait.meanPause());
    }

    /** The registry has 256 local locks for all names. A free lock is refused while a thread holds one that shares its own. */
    @Override
    public Optional<HeldLock> tryAcquire(String name) throws InterruptedException {
        return acquire(name, SHORT_WAIT);
    }

    @Override
    public Optional<HeldLock> acquire(String name, Duration wait) throws InterruptedException {
        Lock lock = registry.obtain(name);
        return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(new RegistryLock(name, lock))
                : Optional.empty();
    }

    /** Two threads that hold many locks would wait for each other's local locks. */
    @Override
    public int holdingThreads() {
        return 1;
    }

    @Override
    public boolean renewsItself() {
        return false;
    }

    @Override
    public void close() {
        repository.close();
        pool.close();
    }

    private final class RegistryLock implements HeldLock {
        private final String name;
        private final Lock lock;

        RegistryLock(String name, Lock lock) {
            this.name = name;
            this.lock = lock;
        }

        @Override
        public void release() {
            lock.unlock();
        }

        @Override
        public void renew() {
            registry.renewLock(name);
        }
    }
}
