package dev.holdfast.postgres;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.importing.ImportedRow;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of accord's table. Its id is the token by which clients renew and finish the handle. A handle is held until
 * {@code expires_at}, unless it is done.
 *
 * @param leftMicros time until it expires, by the clock of the database; negative if it has expired
 * @param names names of the metadata, in order; null if the metadata is not an object of texts
 */
record AccordHandleRow(
        UUID id,
        String namespace,
        String name,
        String owner,
        Instant createdAt,
        Instant expiresAt,
        long leftMicros,
        @Nullable Instant doneAt,
        long acquired,
        @Nullable List<String> names,
        List<String> values) {

    /** accord writes only objects of texts; nothing else can be imported. */
    private static final String IS_OBJECT_OF_TEXTS = "CASE jsonb_typeof(h.metadata) WHEN 'object' THEN NOT EXISTS"
            + " (SELECT FROM jsonb_each(h.metadata) m WHERE jsonb_typeof(m.value) <> 'string') ELSE false END";

    private static final String METADATA = "(SELECT array_agg(m.%s ORDER BY m.key COLLATE \"C\") FROM"
            + " jsonb_each_text(CASE WHEN " + IS_OBJECT_OF_TEXTS + " THEN h.metadata ELSE '{}' END) m)";

    /** Columns in the order of {@link #read}. An infinite time is far beyond all times that can be imported. */
    static final String SELECTED = "h.id, h.namespace, h.name, h.owner, h.created_at, h.expires_at, CASE WHEN"
            + " isfinite(h.expires_at) THEN (extract(epoch FROM h.expires_at - clock_timestamp()) * 1000000)::bigint"
            + " ELSE 0 END, h.done_at, h.num_acquired, " + IS_OBJECT_OF_TEXTS + ", "
            + METADATA.formatted("key") + ", " + METADATA.formatted("value");

    static AccordHandleRow read(ResultSet row) throws SQLException {
        @Nullable OffsetDateTime doneAt = row.getObject(8, OffsetDateTime.class);
        boolean hasMetadata = row.getBoolean(10);
        return new AccordHandleRow(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getObject(5, OffsetDateTime.class).toInstant(),
                row.getObject(6, OffsetDateTime.class).toInstant(),
                row.getLong(7),
                doneAt == null ? null : doneAt.toInstant(),
                row.getLong(9),
                hasMetadata ? texts(row.getArray(11)) : null,
                hasMetadata ? texts(row.getArray(12)) : List.of());
    }

    private static List<String> texts(@Nullable Array array) throws SQLException {
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    /** Returns the key for display; accord itself shows none. */
    String shown() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    ImportedRow toImportedRow() {
        // accord treats a done time in 1970 as none.
        Instant done = doneAt != null && doneAt.isAfter(Instant.EPOCH) ? doneAt : null;
        boolean held = done == null && leftMicros >= 0;
        Duration left = held ? Duration.of(Math.max(1, leftMicros), ChronoUnit.MICROS) : Duration.ZERO;
        return new ImportedRow(
                Key.of(namespace, name),
                fingerprint(),
                Fence.NONE,
                acquired,
                new ImportedRow.LastGrant(Token.of(id), Holder.of(owner), left, expiresAt),
                attributes(),
                createdAt,
                done);
    }

    private Attributes attributes() {
        if (names == null) {
            throw new IllegalArgumentException(
                    "metadata: not an object of texts (expected: an object of texts, as accord writes it)");
        }
        Map<String, AttributeValue> attributes = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            attributes.put(names.get(i), AttributeValue.of(values.get(i)));
        }
        return Attributes.of(attributes);
    }

    /** Not {@code updated_at}: accord also changes that when it refuses the handle to another client. */
    private String fingerprint() {
        return String.join(
                "\0",
                id.toString(),
                owner,
                createdAt.toString(),
                expiresAt.toString(),
                String.valueOf(doneAt),
                String.valueOf(acquired),
                String.join("\0", names == null ? List.of() : names),
                "\0",
                String.join("\0", values));
    }
}
