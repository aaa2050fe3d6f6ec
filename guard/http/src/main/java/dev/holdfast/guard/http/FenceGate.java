package dev.holdfast.guard.http;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.guard.FenceGuard;
import dev.holdfast.guard.JdbcFenceGuard;
import dev.holdfast.guard.StaleFenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A gate in front of an HTTP handler. It refuses a request whose fence is older than one it has seen for the key.
 *
 * <p><b>The gate alone leaves a gap.</b> A request that passed before a newer fence arrived can still write, however late. Only a
 * check of the fence in the transaction of the write closes that gap. The handler gets the fence from the gate and makes the check:
 *
 * <pre>{@code
 * Passed passed = FenceGateFilter.passed(request);           // Armeria: FenceGateService.passed(ctx)
 * guard.check(connection, passed.key(), passed.fence());     // JdbcFenceGuard, in the handler's transaction
 * }</pre>
 *
 * <p>The memory of the gate is the table of {@link JdbcFenceGuard}, so it survives restarts, and several servers share it. Each
 * request that passes costs one write there. A failure of the database fails the request: without its memory, the gate lets
 * nothing pass.
 *
 * <p><b>The clock bound.</b> A fence is a time in microseconds. One number from the far future would lock out all later holders, so
 * a fence later than the clock of this server plus a tolerance is refused and not remembered. A forged number within the tolerance
 * locks out other holders until the clock has reached it. The gate does not authenticate clients: do that before it.
 *
 * <p>The application derives the key from the request, for example from its path. Never take the key from a header or a parameter
 * that the client chooses freely: the client could name a key that no other holder uses, and pass.
 *
 * <p>Used by {@link FenceGateFilter} (Jakarta Servlet) and {@link FenceGateService} (Armeria). Immutable; thread-safe.
 */
public final class FenceGate {
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");
    private static final Duration DEFAULT_TOLERANCE = Duration.ofHours(1);
    /** A year: a gate that tolerates more has no bound. */
    private static final Duration TOLERANCE_MAX = Duration.ofDays(365);

    private final DataSource memory;
    private final JdbcFenceGuard guard;
    private final Duration tolerance;
    private final Clock clock;

    private FenceGate(DataSource memory, JdbcFenceGuard guard, Duration tolerance, Clock clock) {
        this.memory = memory;
        this.guard = guard;
        this.tolerance = tolerance;
        this.clock = clock;
    }

    /** A gate that remembers fences in a database, in the table of {@link FenceGuard#jdbc}. */
    public static FenceGate of(DataSource memory) {
        return new FenceGate(memory, FenceGuard.jdbc(), DEFAULT_TOLERANCE, Clock.systemUTC());
    }

    /**
     * With another guard, for example of another table. A handler that checks the fence in the same database and table takes turns
     * with the gate on the row of the key. With another table, the gate does not wait for the handler's transactions.
     */
    public FenceGate guard(JdbcFenceGuard newGuard) {
        return new FenceGate(memory, newGuard, tolerance, clock);
    }

    /** With another tolerance for the clocks of this server and of the store of leases; by default one hour. */
    public FenceGate tolerance(Duration newTolerance) {
        if (newTolerance.isNegative() || newTolerance.compareTo(TOLERANCE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "tolerance: " + newTolerance + " (expected: >= PT0S and <= " + TOLERANCE_MAX + ")");
        }
        return new FenceGate(memory, guard, newTolerance, clock);
    }

    /** With another clock. */
    public FenceGate clock(Clock newClock) {
        return new FenceGate(memory, guard, tolerance, newClock);
    }

    /**
     * Decides on a request, and remembers its fence if it passes. Blocks for the database.
     *
     * @param key derived from the request by the application
     * @param header the value of {@link FenceHeader#NAME}; null if the request has none
     * @throws SQLException if the database failed: the request must not pass
     */
    public GateDecision decide(Key key, @Nullable String header) throws SQLException {
        if (header == null) {
            return refused(GateRefusal.MISSING, "the request has no header " + FenceHeader.NAME);
        }
        Fence fence = parse(header);
        if (fence == null) {
            return refused(
                    GateRefusal.MALFORMED,
                    FenceHeader.NAME + " is not a fence (expected: one number >= " + FenceGuard.LEAST_FENCE + ")");
        }
        Fence latest = latest();
        if (fence.isAbove(latest)) {
            return refused(
                    GateRefusal.BEYOND_CLOCK,
                    FenceHeader.NAME + ": " + fence + " (expected: <= " + latest + ", the time of this server in"
                            + " microseconds plus " + tolerance + ")");
        }
        return remember(key, fence);
    }

    /** The same for all values of the header: a request with several of them is malformed. */
    GateDecision decide(Key key, List<String> headers) throws SQLException {
        return decide(key, headers.isEmpty() ? null : String.join(",", headers));
    }

    /** The refusal of an old fence. It does not disclose the newest one, which a client could then send. */
    static GateDecision.Refused stale(Fence fence) {
        return refused(
                GateRefusal.STALE,
                FenceHeader.NAME + ": " + fence
                        + " is too old: the lease was lost, and another holder was granted the key");
    }

    private static GateDecision.Refused refused(GateRefusal reason, String message) {
        return new GateDecision.Refused(reason, message);
    }

    private static @Nullable Fence parse(String header) {
        if (!DIGITS.matcher(header).matches()) {
            return null;
        }
        try {
            long value = Long.parseLong(header);
            return value < FenceGuard.LEAST_FENCE ? null : Fence.of(value);
        } catch (NumberFormatException e) {
            return null; // 19 digits can be too large.
        }
    }

    private Fence latest() {
        Instant time = clock.instant().plus(tolerance);
        return Fence.of(
                TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano()));
    }

    private GateDecision remember(Key key, Fence fence) throws SQLException {
        try (Connection connection = memory.getConnection()) {
            if (connection.getAutoCommit()) {
                guard.remember(connection, key, fence);
            } else { // Some pools hand out connections in this mode.
                rememberInTransaction(connection, key, fence);
            }
            return new GateDecision.Passed(key, fence);
        } catch (StaleFenceException e) {
            return stale(fence);
        }
    }

    private void rememberInTransaction(Connection connection, Key key, Fence fence) throws SQLException {
        boolean isCommitted = false;
        try {
            guard.check(connection, key, fence);
            connection.commit();
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                connection.rollback();
            }
        }
    }
}
