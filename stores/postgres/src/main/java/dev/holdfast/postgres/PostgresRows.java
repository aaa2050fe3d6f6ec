package dev.holdfast.postgres;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.postgres.BinaryArrayCodec.Element;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Conversion between entries and rows, with one definition of the columns for writing and reading. */
final class PostgresRows {
    /** A column that writers set, and the function that extracts its value from an entry. */
    record EntryColumn(String name, Element type, Function<Entry, @Nullable Object> value) {}

    static final List<EntryColumn> COLUMNS = List.of(
            new EntryColumn("namespace", Element.TEXT, entry -> entry.key().namespace()),
            new EntryColumn("name", Element.TEXT, entry -> entry.key().name()),
            new EntryColumn("version", Element.UUID, entry -> entry.version().id()),
            new EntryColumn("state", Element.TEXT, entry -> entry.state().name()),
            new EntryColumn("fence", Element.INT8, entry -> entry.fence().value()),
            new EntryColumn("grants", Element.INT8, Entry::grants),
            ofGrant("token", Element.UUID, grant -> grant.token().id()),
            ofGrant("holder", Element.TEXT, grant -> grant.holder().name()),
            ofGrant(
                    "term_millis",
                    Element.INT8,
                    grant -> grant.term().duration().toMillis()),
            ofGrant("beat", Element.UUID, grant -> grant.beat().id()),
            ofGrant("granted_at", Element.TIMESTAMPTZ, Grant::grantedAt),
            ofAnchor("anchor_namespace", Element.TEXT, anchor -> anchor.key().namespace()),
            ofAnchor("anchor_name", Element.TEXT, anchor -> anchor.key().name()),
            ofAnchor("anchor_fence", Element.INT8, anchor -> anchor.fence().value()),
            new EntryColumn(
                    "attributes", Element.BYTEA, entry -> entry.attributes().encoded()),
            new EntryColumn("created_at", Element.TIMESTAMPTZ, Entry::createdAt),
            new EntryColumn("done_at", Element.TIMESTAMPTZ, Entry::doneAt));

    static final List<EntryColumn> COLUMNS_WITH_HISTORY = Stream.concat(
                    COLUMNS.stream(),
                    Stream.of(new EntryColumn(
                            "history",
                            Element.BYTEA,
                            entry -> entry.history().isEmpty()
                                    ? null
                                    : entry.history().encoded())))
            .toList();

    /** See {@link UsableTables#selected}. */
    static final String SELECTED =
            COLUMNS.stream().map(column -> "e." + column.name + ", ").reduce("", String::concat)
                    + "(extract(epoch FROM clock_timestamp() - e.stamp) * 1000000)::bigint AS age_micros";

    private PostgresRows() {}

    /**
     * Reads the entry that starts at column {@code from}.
     *
     * @return null if there is none, in an outer join
     */
    static @Nullable StoredEntry read(ResultSet row, int from) throws SQLException {
        String namespace = row.getString(from);
        if (namespace == null) {
            return null;
        }
        OffsetDateTime doneAt = row.getObject(from + 16, OffsetDateTime.class);
        Instant createdAt = row.getObject(from + 15, OffsetDateTime.class).toInstant();
        Entry entry = new Entry(
                Key.of(namespace, row.getString(from + 1)),
                Version.of(row.getObject(from + 2, UUID.class)),
                LeaseState.valueOf(row.getString(from + 3)),
                Fence.of(row.getLong(from + 4)),
                row.getLong(from + 5),
                grant(row, from + 6),
                Attributes.decode(row.getBytes(from + 14)),
                createdAt,
                doneAt == null ? null : doneAt.toInstant(),
                GrantHistory.decode(row.getBytes(from + 18), createdAt));
        // If the clock was set back, a beat may seem to come from the future. It then counts as new.
        long ageMicros = Math.max(0, row.getLong(from + 17));
        return new StoredEntry(entry, Duration.of(ageMicros, ChronoUnit.MICROS));
    }

    private static @Nullable Grant grant(ResultSet row, int from) throws SQLException {
        UUID token = row.getObject(from, UUID.class);
        if (token == null) {
            return null;
        }
        String anchorName = row.getString(from + 6);
        AnchorRef anchor = anchorName == null
                ? null
                : new AnchorRef(Key.of(row.getString(from + 5), anchorName), Fence.of(row.getLong(from + 7)));
        return new Grant(
                Token.of(token),
                Holder.of(row.getString(from + 1)),
                Term.ofMillis(row.getLong(from + 2)),
                Beat.of(row.getObject(from + 3, UUID.class)),
                row.getObject(from + 4, OffsetDateTime.class).toInstant(),
                anchor);
    }

    private static EntryColumn ofGrant(String name, Element type, Function<Grant, @Nullable Object> value) {
        return new EntryColumn(name, type, entry -> entry.grant() == null ? null : value.apply(entry.grant()));
    }

    private static EntryColumn ofAnchor(String name, Element type, Function<AnchorRef, @Nullable Object> value) {
        return ofGrant(name, type, grant -> grant.anchor() == null ? null : value.apply(grant.anchor()));
    }
}
