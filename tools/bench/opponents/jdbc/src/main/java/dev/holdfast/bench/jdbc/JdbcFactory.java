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

    @Override
    public LockContender open(ContenderSettings settings) throws SQLException {
        // Workers that hold many locks share the connections that one client would have.
        int connections = settings.holding() ? 2 : CONNECTIONS;
        return switch (settings.opponent()) {
            case "shedlock" -> new ShedLockContender(pool(settings, connections), settings);
            default -> throw settings.unknown();
        };
    }

    private static HikariDataSource pool(ContenderSettings settings, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(settings.url());
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }
}
