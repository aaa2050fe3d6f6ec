package dev.holdfast.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** How much CPU time all processes of a PostgreSQL server on this machine have used so far. */
final class ServerCpuTime {
    private final ProcessHandle postmaster;

    ServerCpuTime(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            postmaster = ProcessHandle.of(row.getLong(1))
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow();
        }
    }

    /** What sessions that have ended used is not in it. */
    Duration used() {
        return Stream.concat(Stream.of(postmaster), postmaster.children())
                .map(process -> process.info().totalCpuDuration())
                .flatMap(Optional::stream)
                .reduce(Duration.ZERO, Duration::plus);
    }
}
