package dev.holdfast.sqlite;

import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.sqlite.clock.BootClock.BootTime;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import dev.holdfast.store.WriteOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one write transaction. Each change is first written conditionally, and its entry is read only if the
 * condition failed. So most changes take one statement.
 */
final class SqliteBatch {
    static final String REMOVE =
            "DELETE FROM entry WHERE namespace = ?1 AND name = ?2 AND version = ?3 RETURNING fence, id";

    static final String FLOOR = "SELECT fence_floor FROM meta";
    static final String RAISE_FLOORS =
            "UPDATE meta SET fence_floor = max(fence_floor, ?1), id_floor = max(id_floor, ?2)";

    private final SqliteSession session;
    private final @Nullable BootTime now;
    /** Read when first needed; within the transaction no other process can change it. */
    private @Nullable Fence floor;

    SqliteBatch(SqliteSession session, @Nullable BootTime now) {
        this.session = session;
        this.now = now;
    }

    List<WriteOutcome> apply(List<Change> changes) throws SQLException {
        List<WriteOutcome> outcomes = new ArrayList<>(changes.size());
        for (Change change : changes) {
            outcomes.add(
                    isApplied(change)
                            ? WriteOutcome.APPLIED
                            : new WriteOutcome.Conflict(SqliteRows.read(session, change.key(), now), floor()));
        }
        return outcomes;
    }

    /** Also safe without a transaction around it, because a single statement does the writing. */
    boolean isApplied(Change change) throws SQLException {
        Entry next = change.next();
        Version expected = change.expected();
        if (expected == null) {
            return next != null && isInserted(next);
        }
        return next == null ? isRemoved(change, expected) : isReplaced(change, next, expected);
    }

    private boolean isInserted(Entry next) throws SQLException {
        PreparedStatement insert = session.prepared(session.statements().insert());
        SqliteRows.bind(insert, next, now);
        bindHistory(insert, next);
        return insert.executeUpdate() == 1;
    }

    private boolean isReplaced(Change change, Entry next, Version expected) throws SQLException {
        SqliteStatements sql = session.statements();
        String likely = next.state() == LeaseState.HELD ? sql.renew() : sql.end();
        return (!change.isNewGrant() && isUpdated(likely, next, expected)) || isUpdated(sql.replace(), next, expected);
    }

    private boolean isUpdated(String sql, Entry next, Version expected) throws SQLException {
        PreparedStatement update = session.prepared(sql);
        SqliteRows.bind(update, next, now);
        SqliteRows.bindExpected(update, expected);
        bindHistory(update, next);
        return update.executeUpdate() == 1;
    }

    private void bindHistory(PreparedStatement statement, Entry next) throws SQLException {
        if (session.statements().keepsHistory()) {
            SqliteRows.bindHistory(statement, next);
        }
    }

    private boolean isRemoved(Change change, Version expected) throws SQLException {
        PreparedStatement remove = session.prepared(REMOVE);
        SqliteRows.bindKey(remove, change.key());
        remove.setBytes(3, SqliteRows.bytes(expected.id()));
        try (ResultSet removed = remove.executeQuery()) {
            if (!removed.next()) {
                return false;
            }
            raiseFloors(removed.getLong(1), removed.getLong(2));
            return true;
        }
    }

    /**
     * Raises the floors, so that no id is assigned twice: a scan could otherwise meet a later key at a place that it
     * had already passed.
     */
    private void raiseFloors(long fence, long id) throws SQLException {
        PreparedStatement raise = session.prepared(RAISE_FLOORS);
        raise.setLong(1, fence);
        raise.setLong(2, id);
        raise.executeUpdate();
        floor = null;
    }

    private Fence floor() throws SQLException {
        if (floor == null) {
            floor = Fence.of(session.number(FLOOR));
        }
        return floor;
    }
}
