package dev.holdfast.postgres;

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
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.store.Version;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Entries in {@code version-1.sql}, one of every kind. */
final class VersionOneEntries {
    /** The fence of an entry that was removed before the dump was made. */
    static final Fence FLOOR = Fence.of(1500);

    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06.789012Z");
    private static final Key ANCHOR = Key.of("workers", "worker-1");

    private VersionOneEntries() {}

    static List<Entry> all() {
        return List.of(
                entry(Key.of("files", "held é/1"), 1, LeaseState.HELD, grant(1, null), everyType()),
                entry(Key.of("files", "free"), 2, LeaseState.FREE, grant(2, null), Attributes.of("note", "released")),
                entry(Key.of("files", "done"), 3, LeaseState.DONE, grant(3, null), Attributes.NONE),
                entry(Key.of("", "deleted"), 4, LeaseState.FREE, null, Attributes.NONE),
                entry(ANCHOR, 5, LeaseState.HELD, grant(5, null), Attributes.NONE),
                entry(
                        Key.of("units", "anchored"),
                        6,
                        LeaseState.HELD,
                        grant(6, new AnchorRef(ANCHOR, Fence.of(2005))),
                        Attributes.NONE));
    }

    private static Entry entry(
            Key key, int number, LeaseState leaseState, @Nullable Grant grant, Attributes attributes) {
        Instant doneAt = leaseState == LeaseState.DONE ? TIME.plusSeconds(number) : null;
        long grants = grant == null ? 0 : number;
        return new Entry(
                key, version(number), leaseState, Fence.of(2000 + number), grants, grant, attributes, TIME, doneAt);
    }

    private static Grant grant(int number, @Nullable AnchorRef anchor) {
        return new Grant(
                Token.of(id("token", number)),
                Holder.of("holder-" + number),
                Term.ofMillis(30_000),
                Beat.of(version(number)),
                TIME,
                anchor);
    }

    private static Version version(int number) {
        return Version.of(id("version", number));
    }

    private static UUID id(String kind, int number) {
        return UUID.nameUUIDFromBytes((kind + number).getBytes(UTF_8));
    }

    /** The last three were sets when the dump was made. */
    private static Attributes everyType() {
        AttributeValue.Bytes bytes = new AttributeValue.Bytes(new byte[] {0, 1, (byte) 0xff});
        AttributeValue list = new AttributeValue.ListOf(
                List.of(AttributeValue.of("a"), AttributeValue.of(1), AttributeValue.of(true)));
        return Attributes.of(Map.of(
                "text",
                AttributeValue.of("ä\n\"quoted\" 'x'"),
                "number",
                AttributeValue.of(new BigDecimal("-12345.6789")),
                "bool",
                AttributeValue.of(true),
                "bytes",
                bytes,
                "list",
                list,
                "map",
                new AttributeValue.MapOf(Map.of("inner", list)),
                "texts",
                list(AttributeValue.of("x"), AttributeValue.of("y")),
                "numbers",
                list(AttributeValue.of(1), AttributeValue.of(10)),
                "byte sets",
                list(bytes)));
    }

    private static AttributeValue list(AttributeValue... values) {
        return new AttributeValue.ListOf(List.of(values));
    }
}
