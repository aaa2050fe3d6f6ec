package dev.holdfast.chaos.process;

import dev.holdfast.chaos.network.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A primary and a synchronous standby, which change roles. A commit is acknowledged when both have it on disk. A dead primary
 * never returns: its folder is replaced by a copy of the new primary before its port is used again.
 */
public final class PostgresPair implements AutoCloseable {
    /** The name under which a standby reports. {@code *} would also accept the connection of a base backup. */
    static final String STANDBY = "follower";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);

    private static final String SYNC_STATE = "SELECT sync_state FROM pg_stat_replication";

    private PostgresInstance primary;
    private PostgresInstance standby;
    /** Whether commits wait for the standby. */
    private boolean paired;

    private PostgresPair(PostgresInstance primary, PostgresInstance standby) {
        this.primary = primary;
        this.standby = standby;
    }

    public static PostgresPair start(Path logs) throws IOException, InterruptedException {
        PostgresInstance primary = PostgresInstance.prepare(logs.resolve("postgres-1.log"), LoopbackPorts.next());
        PostgresInstance standby = PostgresInstance.prepare(logs.resolve("postgres-2.log"), LoopbackPorts.next());
        PostgresPair pair = new PostgresPair(primary, standby);
        try {
            primary.create();
            primary.start();
            pair.rebuildStandby();
            return pair;
        } catch (IOException | InterruptedException | RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    /** The ports of both servers, independent of their roles. */
    public synchronized List<Integer> ports() {
        return List.of(primary.port(), standby.port());
    }

    /**
     * Kills the primary and promotes the standby, which has every acknowledged commit.
     *
     * @throws IOException without any change, if commits do not wait for the standby now
     */
    public synchronized void failOver() throws IOException, InterruptedException {
        try {
            if (!paired || !standby.isRunning() || !primary.value(SYNC_STATE).equals("sync")) {
                throw new IOException("no failover: the standby is not synchronous");
            }
        } catch (SQLException e) {
            throw new IOException("no failover: the primary does not respond", e);
        }
        paired = false;
        primary.kill();
        PostgresInstance dead = primary;
        primary = standby;
        standby = dead;
        promote();
    }

    private void promote() throws IOException, InterruptedException {
        try {
            if (primary.value("SELECT pg_is_in_recovery()").equals("t")) {
                primary.execute("SELECT pg_promote(true, " + PATIENCE.toSeconds() + ")");
            }
        } catch (SQLException e) {
            throw new IOException("the standby cannot be promoted", e);
        }
        await("the end of the promotion", "SELECT pg_is_in_recovery()", "f");
    }

    /** Kills the standby. Until {@link #restore}, no commit is acknowledged. */
    public synchronized void killStandby() throws IOException, InterruptedException {
        if (paired) {
            standby.kill();
        }
    }

    /** Makes the two a primary with a synchronous standby again. */
    public synchronized void restore() throws IOException, InterruptedException {
        if (paired) {
            standby.start();
            awaitSynchronous();
        } else {
            promote();
            rebuildStandby();
        }
    }

    /** Makes the other server a standby with a fresh copy. From then on, commits wait for it. */
    private void rebuildStandby() throws IOException, InterruptedException {
        standby.kill();
        standby.copy(primary);
        standby.start();
        try {
            primary.execute("ALTER SYSTEM SET synchronous_standby_names = '" + STANDBY + "'");
            primary.execute("SELECT pg_reload_conf()");
        } catch (SQLException e) {
            throw new IOException("the primary does not accept a standby", e);
        }
        awaitSynchronous();
        paired = true;
    }

    /** Waits until the standby has all that was committed before commits began to wait for it. */
    private void awaitSynchronous() throws IOException, InterruptedException {
        await("a synchronous standby", SYNC_STATE, "sync");
        try {
            String position = primary.value("SELECT pg_current_wal_lsn()");
            await("the standby", "SELECT flush_lsn >= '" + position + "' FROM pg_stat_replication", "t");
        } catch (SQLException e) {
            throw new IOException("the primary does not respond", e);
        }
    }

    private void await(String name, String query, String expected) throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                if (primary.value(query).equals(expected)) {
                    return;
                }
            } catch (SQLException e) {
                if (!primary.isRunning()) {
                    throw new IOException("the primary ended", e);
                }
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException(name + ": not there after " + PATIENCE);
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    @Override
    public synchronized void close() {
        primary.close();
        standby.close();
    }
}
