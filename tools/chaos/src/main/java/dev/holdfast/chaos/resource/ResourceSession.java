package dev.holdfast.chaos.resource;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.StaleFenceException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/**
 * A session of one client thread with the protected resource. A change takes two steps, so that the client can be stopped between
 * them: it reads the counter, and writes it in a later transaction. With a guard, both steps check the fence. The check of
 * the first step keeps older holders from writing after that read.
 */
public final class ResourceSession implements AutoCloseable {
    private final Connection connection;
    private final String client;
    private final boolean guarded;
    private final long originNanos;

    /** @param originNanos the reading of the machine's monotonic clock that counts as zero */
    public ResourceSession(ProtectedFile file, String client, boolean guarded, long originNanos) throws SQLException {
        this.connection = file.connect();
        this.client = client;
        this.guarded = guarded;
        this.originNanos = originNanos;
        connection.setAutoCommit(false);
    }

    /**
     * Adds one to the counter of a key.
     *
     * @param between runs between the two steps; false if the client no longer holds the key, so nothing is written
     */
    public ResourceOutcome increment(Key key, Fence fence, BooleanSupplier between) {
        return guarded(() -> {
            long before = read(key, fence);
            connection.commit();
            if (!between.getAsBoolean()) {
                return new ResourceOutcome.NotWritten("the lease is not held any more");
            }
            check(key, fence);
            write(key, before + 1);
            note("write", key, fence, before, before + 1);
            return new ResourceOutcome.Written(before, before + 1);
        });
    }

    /** Notes that the work of a process-once key was done. */
    public ResourceOutcome work(Key key, Fence fence) {
        return guarded(() -> {
            check(key, fence);
            note("work", key, fence, 0, 0);
            return new ResourceOutcome.Written(0, 0);
        });
    }

    private interface ResourceStep {
        ResourceOutcome run() throws SQLException;
    }

    private ResourceOutcome guarded(ResourceStep step) {
        ResourceOutcome outcome;
        try {
            outcome = step.run();
        } catch (StaleFenceException e) {
            outcome = new ResourceOutcome.Rejected();
        } catch (SQLException e) {
            outcome = new ResourceOutcome.NotWritten(String.valueOf(e.getMessage()));
        }
        try {
            if (outcome instanceof ResourceOutcome.Written) {
                connection.commit();
            } else {
                connection.rollback();
            }
            return outcome;
        } catch (SQLException e) {
            return new ResourceOutcome.Doubtful(String.valueOf(e.getMessage()));
        }
    }

    private void check(Key key, Fence fence) throws SQLException {
        if (guarded) {
            FenceGuard.jdbc().check(connection, key, fence);
        }
    }

    private long read(Key key, Fence fence) throws SQLException {
        check(key, fence);
        try (PreparedStatement statement = connection.prepareStatement("SELECT value FROM counter WHERE key = ?")) {
            statement.setString(1, key.toString());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        }
    }

    private void write(Key key, long value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO counter (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")) {
            statement.setString(1, key.toString());
            statement.setLong(2, value);
            statement.executeUpdate();
        }
    }

    private void note(String op, Key key, Fence fence, long before, long after) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO witness (op, key, fence, client, before_value, after_value, at) VALUES (?, ?, ?, ?, ?, ?, ?)")) {
            statement.setString(1, op);
            statement.setString(2, key.toString());
            statement.setLong(3, fence.value());
            statement.setString(4, client);
            statement.setLong(5, before);
            statement.setLong(6, after);
            statement.setLong(7, System.nanoTime() - originNanos);
            statement.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
