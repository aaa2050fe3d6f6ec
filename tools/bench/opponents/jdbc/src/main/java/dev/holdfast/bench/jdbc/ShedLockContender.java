package dev.holdfast.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.HeldLock;
import dev.holdfast.bench.contender.LockContender;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock on the database's clock, as it advises; with its provider that extends locks, if many are held. */
final class ShedLockContender implements LockContender {
    private final HikariDataSource pool;
    private final Duration term;
    private final ScheduledExecutorService extender = Executors.newScheduledThreadPool(2);
    private final LockProvider provider;

    ShedLockContender(HikariDataSource pool, ContenderSettings settings) throws SQLException {
        this.pool = pool;
        this.term = settings.term();
        SchemaSetup.run(pool, """
                CREATE TABLE IF NOT EXISTS shedlock (
                  name varchar(64) PRIMARY KEY,
                  lock_until timestamp NOT NULL,
                  locked_at timestamp NOT NULL,
                  locked_by varchar(255) NOT NULL)
                """);
        JdbcTemplateLockProvider plain = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
        this.provider = settings.holding() ? new KeepAliveLockProvider(plain, extender) : plain;
    }

    @Override
    public Optional<HeldLock> tryAcquire(String name) {
        return provider.lock(new LockConfiguration(Instant.now(), name, term, Duration.ZERO))
                .map(lock -> lock::unlock);
    }

    @Override
    public void close() {
        extender.shutdownNow();
        pool.close();
    }
}
