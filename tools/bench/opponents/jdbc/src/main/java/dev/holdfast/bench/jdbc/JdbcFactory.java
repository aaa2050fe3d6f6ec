package dev.holdfast.bench.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.bench.contender.ContenderFactory;
import dev.holdfast.bench.contender.ContenderSettings;
import dev.holdfast.bench.contender.LockContender;
import java.sql.SQLException;

/** Opens the clients of PostgreSQL, each with its own pool of connections. */
public final class JdbcFactory implements ContenderFactory {
    /** More connections than this are slower on a machine with few cores. */
    private static final int CONNECTIONS = 16;

    /** Accord's own pool, repaired, as in the comparison of its statements. */
    private static final int ACCORD_CONNECTIONS = 64;

    /** A session lock needs a session; the largest load has 256 callers. */
    private static final int SESSIONS = 260;

    @Override
    public LockContender open(ContenderSettings settings) throws SQLException {
        // The ten workers that hold many locks share the connections of one client, more or less.
        int connections = settings.holding() ? 4 : CONNECTIONS;
        return switch (settings.opponent()) {
            case "shedlock" -> new ShedLockContender(pool(settings, connections), settings);
            case "spring-jdbc" -> new SpringLockContender(pool(settings, connections), settings);
            case "pg-upsert" -> new UpsertContender(pool(settings, connections), settings.term());
            case "pg-advisory" -> new AdvisoryLockContender(pool(settings, SESSIONS), settings.holding());
            case "accord-statements" -> new AccordContender(pool(settings, ACCORD_CONNECTIONS), settings.term());
            default -> throw settings.unknown();
        };
    }

    private static HikariDataSource pool(ContenderSettings settings, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(settings.url());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }
}
