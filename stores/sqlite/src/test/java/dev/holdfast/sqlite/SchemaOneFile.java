package dev.holdfast.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Token;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code schema-1.db}, which Holdfast wrote before files recorded which versions may use them. That code wrote
 * it once, with {@link #write}; it must never be written again.
 */
final class SchemaOneFile {
    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06.789012Z");

    private SchemaOneFile() {}

    /** Copies the file to {@code target}. */
    static void copyTo(Path target) throws IOException {
        try (InputStream file = Objects.requireNonNull(SchemaOneFile.class.getResourceAsStream("schema-1.db"))) {
            Files.copy(file, target);
        }
    }

    /** Returns the entries of the file: held, anchored, free, deleted and done. */
    static List<Entry> entries() {
        Entry anchor = held(1, "workers", "worker-1", null, Attributes.NONE);
        Entry anchored = held(2, "units", "unit-1", new AnchorRef(anchor.key(), anchor.fence()), Attributes.NONE);
        return List.of(
                anchor,
                anchored,
                held(3, "", "held", null, everyType()),
                held(4, "files", "free", null, Attributes.of("checkpoint", "line 7"))
                        .freed(version(104)),
                Entry.empty(Key.of("files", "deleted"), version(5), Fence.of(1_005), TIME),
                done(held(6, "files", "döne", null, Attributes.NONE)));
    }

    /** Writes the file with the code on the class path. */
    static void write(SqliteStore store) {
        store.apply(entries().stream().map(Change::insert).toList());
        Entry removed = Entry.empty(Key.of("removed"), version(7), Fence.of(900), TIME);
        store.apply(List.of(Change.insert(removed)));
        store.apply(List.of(Change.remove(removed.key(), removed.version())));
    }

    private static Entry held(
            int id, String namespace, String name, @Nullable AnchorRef anchor, Attributes attributes) {
        Grant grant = new Grant(
                Token.of(new UUID(2, id)),
                Holder.of("ann"),
                Term.ofMillis(30_000),
                Beat.of(version(id)),
                TIME.plusSeconds(id),
                anchor);
        return new Entry(
                Key.of(namespace, name),
                version(id),
                LeaseState.HELD,
                Fence.of(1_000 + id),
                id,
                grant,
                attributes,
                TIME,
                null);
    }

    private static Entry done(Entry held) {
        return new Entry(
                held.key(),
                version(106),
                LeaseState.DONE,
                held.fence(),
                held.grants(),
                held.grant(),
                held.attributes(),
                held.createdAt(),
                TIME.plusSeconds(60));
    }

    /** The last three were sets when the file was written. */
    private static Attributes everyType() {
        return Attributes.of(Map.of(
                "text",
                AttributeValue.of("größer"),
                "number",
                AttributeValue.of(new BigDecimal("-12.5")),
                "yes",
                AttributeValue.of(true),
                "no",
                AttributeValue.of(false),
                "bytes",
                AttributeValue.of("bytes".getBytes(UTF_8)),
                "list",
                new AttributeValue.ListOf(List.of(AttributeValue.of(1), AttributeValue.of("two"))),
                "map",
                new AttributeValue.MapOf(Map.of("inner", AttributeValue.of(3))),
                "texts",
                list(AttributeValue.of("a"), AttributeValue.of("b")),
                "numbers",
                list(AttributeValue.of(1), AttributeValue.of(10)),
                "manyBytes",
                list(AttributeValue.of(new byte[] {1, 2}))));
    }

    private static AttributeValue list(AttributeValue... values) {
        return new AttributeValue.ListOf(List.of(values));
    }

    private static Version version(int id) {
        return Version.of(new UUID(1, id));
    }
}
