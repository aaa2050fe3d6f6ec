package dev.holdfast.sqlite;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.sqlite.clock.BootClock.BootTime;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Conversion between entries and rows. In every statement, parameter n is column n of a row. */
final class SqliteRows {
    static final String COLUMNS = "namespace, name, version, state, token, holder, fence, grants, term_millis, beat,"
            + " granted_at_micros, anchor_namespace, anchor_name, anchor_fence, attributes, created_at_micros,"
            + " done_at_micros, boot, stamp_nanos";

    /** The index of {@code id}, which is selected after the columns of an entry. */
    static final int ID = 20;
    /** The index of the expected version, after the parameters for the columns, in updates. */
    static final int EXPECTED = 20;
    /** The index of the history, after the id or the expected version. */
    static final int HISTORY = 21;

    private static final int MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final long LAST_SECOND = Long.MAX_VALUE / MICROS_PER_SECOND - 1;
    private static final long FIRST_SECOND = -LAST_SECOND;

    private SqliteRows() {}

    static @Nullable StoredEntry read(SqliteSession session, Key key, @Nullable BootTime now) throws SQLException {
        PreparedStatement read = session.prepared(session.statements().read());
        bindKey(read, key);
        try (ResultSet row = read.executeQuery()) {
            return row.next() ? stored(row, now) : null;
        }
    }

    static void bindKey(PreparedStatement statement, Key key) throws SQLException {
        statement.setString(1, key.namespace());
        statement.setString(2, key.name());
    }

    static void bind(PreparedStatement statement, Entry entry, @Nullable BootTime now) throws SQLException {
        Grant grant = entry.grant();
        AnchorRef anchor = grant == null ? null : grant.anchor();
        bindKey(statement, entry.key());
        statement.setBytes(3, bytes(entry.version().id()));
        statement.setInt(4, number(entry.state()));
        statement.setBytes(5, grant == null ? null : bytes(grant.token().id()));
        statement.setString(6, grant == null ? null : grant.holder().name());
        statement.setLong(7, entry.fence().value());
        statement.setLong(8, entry.grants());
        statement.setObject(9, grant == null ? null : grant.term().duration().toMillis());
        statement.setBytes(10, grant == null ? null : bytes(grant.beat().id()));
        statement.setObject(11, grant == null ? null : micros(grant.grantedAt()));
        statement.setString(12, anchor == null ? null : anchor.key().namespace());
        statement.setString(13, anchor == null ? null : anchor.key().name());
        statement.setObject(14, anchor == null ? null : anchor.fence().value());
        statement.setBytes(15, entry.attributes().encoded());
        statement.setLong(16, micros(entry.createdAt()));
        statement.setObject(17, entry.doneAt() == null ? null : micros(entry.doneAt()));
        statement.setString(18, now == null ? null : now.boot());
        statement.setObject(19, now == null ? null : now.nanos());
    }

    static void bindExpected(PreparedStatement statement, Version expected) throws SQLException {
        statement.setBytes(EXPECTED, bytes(expected.id()));
    }

    static void bindHistory(PreparedStatement statement, Entry entry) throws SQLException {
        GrantHistory history = entry.history();
        statement.setBytes(HISTORY, history.isEmpty() ? null : history.encoded());
    }

    /**
     * Reads the entry of a row, and the age of its beat.
     *
     * @throws StoreException if the row cannot be one that Holdfast wrote
     */
    static StoredEntry stored(ResultSet row, @Nullable BootTime now) throws SQLException {
        try {
            return new StoredEntry(entry(row), age(row, now));
        } catch (IllegalArgumentException e) {
            // Another tool or a disk error changed the row.
            throw StoreException.rejected(
                    "the entry " + row.getString(1) + "/" + row.getString(2) + " is damaged: " + e.getMessage(), e);
        }
    }

    private static @Nullable Duration age(ResultSet row, @Nullable BootTime now) throws SQLException {
        return now == null ? null : now.since(row.getString(18), row.getLong(19));
    }

    private static Entry entry(ResultSet row) throws SQLException {
        long doneAt = row.getLong(17);
        boolean isDone = !row.wasNull();
        Instant createdAt = instant(row.getLong(16));
        return new Entry(
                Key.of(row.getString(1), row.getString(2)),
                Version.of(uuid(row.getBytes(3))),
                state(row.getInt(4)),
                Fence.of(row.getLong(7)),
                row.getLong(8),
                grant(row),
                Attributes.decode(row.getBytes(15)),
                createdAt,
                isDone ? instant(doneAt) : null,
                GrantHistory.decode(row.getBytes(HISTORY), createdAt));
    }

    private static @Nullable Grant grant(ResultSet row) throws SQLException {
        byte[] token = row.getBytes(5);
        return token == null
                ? null
                : new Grant(
                        Token.of(uuid(token)),
                        Holder.of(present(row.getString(6))),
                        Term.ofMillis(row.getLong(9)),
                        Beat.of(uuid(present(row.getBytes(10)))),
                        instant(row.getLong(11)),
                        anchor(row));
    }

    private static @Nullable AnchorRef anchor(ResultSet row) throws SQLException {
        String name = row.getString(13);
        return name == null ? null : new AnchorRef(Key.of(present(row.getString(12)), name), Fence.of(row.getLong(14)));
    }

    static int number(LeaseState state) {
        return switch (state) {
            case DONE -> 0;
            case HELD -> 1;
            case FREE -> 2;
        };
    }

    static boolean isHeld(int number) {
        return number == number(LeaseState.HELD);
    }

    private static LeaseState state(int number) {
        return switch (number) {
            case 0 -> LeaseState.DONE;
            case 1 -> LeaseState.HELD;
            case 2 -> LeaseState.FREE;
            default -> throw new IllegalArgumentException("state: " + number + " (expected: 0, 1 or 2)");
        };
    }

    static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("a value is missing");
        }
        return value;
    }

    private static UUID uuid(byte[] bytes) {
        if (bytes.length != 2 * Long.BYTES) {
            throw new IllegalArgumentException("id: " + bytes.length + " bytes (expected: 16)");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /**
     * These times are only for display. A time some 290,000 years away is clamped to the first or last one that fits.
     */
    private static long micros(Instant time) {
        long seconds = Math.max(FIRST_SECOND, Math.min(LAST_SECOND, time.getEpochSecond()));
        return seconds * MICROS_PER_SECOND + time.getNano() / NANOS_PER_MICRO;
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND),
                (long) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    }
}
