package dev.holdfast.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The CPU time of all processes of a PostgreSQL server on this machine. */
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

    /** The CPU time so far, without sessions that have ended. */
    Duration used() {
        return Stream.concat(Stream.of(postmaster), postmaster.children())
                .map(process -> process.info().totalCpuDuration())
                .flatMap(Optional::stream)
                .reduce(Duration.ZERO, Duration::plus);
    }
}
