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
    /**
     * Assigns the next id, and inserts nothing if the fence is not above the floor. A floor of 0 means that there is
     * none.
     */
    static final String INSERT =
            "INSERT INTO entry (" + SqliteRows.COLUMNS + ", id) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
                    + " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,"
                    + " max(id_floor, coalesce((SELECT max(id) FROM entry), 0)) + 1"
                    + " FROM meta WHERE fence_floor < ?7 OR fence_floor = 0 ON CONFLICT DO NOTHING";

    /** The columns that no index contains. An unchanged beat keeps its stamp. */
    private static final String SET_UNINDEXED = "version = ?3, fence = ?7, grants = ?8, term_millis = ?9, beat = ?10,"
            + " granted_at_micros = ?11, anchor_namespace = ?12, anchor_name = ?13, anchor_fence = ?14,"
            + " attributes = ?15, created_at_micros = ?16, done_at_micros = ?17,"
            + " boot = CASE WHEN beat IS ?10 THEN boot ELSE ?18 END,"
            + " stamp_nanos = CASE WHEN beat IS ?10 THEN stamp_nanos ELSE ?19 END";

    private static final String AT_EXPECTED =
            " WHERE namespace = ?1 AND name = ?2 AND version = ?" + SqliteRows.EXPECTED;

    private static final String OF_SAME_GRANT = " AND token IS ?5 AND holder IS ?6";

    /**
     * SQLite rewrites the index of every column that is set, changed or not, which costs a page of the log. So a
     * renewal sets no indexed column, and a release or a done mark sets only the state.
     */
    static final String RENEW = "UPDATE entry SET " + SET_UNINDEXED + AT_EXPECTED + " AND state = ?4" + OF_SAME_GRANT;

    static final String END = "UPDATE entry SET state = ?4, " + SET_UNINDEXED + AT_EXPECTED + OF_SAME_GRANT;

    static final String REPLACE =
            "UPDATE entry SET state = ?4, token = ?5, holder = ?6, " + SET_UNINDEXED + AT_EXPECTED;

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
        return next == null ? isRemoved(change, expected) : isReplaced(next, expected);
    }

    private boolean isInserted(Entry next) throws SQLException {
        PreparedStatement insert = session.prepared(INSERT);
        SqliteRows.bind(insert, next, now);
        return insert.executeUpdate() == 1;
    }

    private boolean isReplaced(Entry next, Version expected) throws SQLException {
        String likely = next.state() == LeaseState.HELD ? RENEW : END;
        return isUpdated(likely, next, expected) || isUpdated(REPLACE, next, expected);
    }

    private boolean isUpdated(String sql, Entry next, Version expected) throws SQLException {
        PreparedStatement update = session.prepared(sql);
        SqliteRows.bind(update, next, now);
        SqliteRows.bindExpected(update, expected);
        return update.executeUpdate() == 1;
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
