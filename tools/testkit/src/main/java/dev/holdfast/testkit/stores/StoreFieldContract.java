package dev.holdfast.testkit.stores;

import static dev.holdfast.testkit.stores.SampleEntries.TIME;
import static dev.holdfast.testkit.stores.SampleEntries.grant;
import static dev.holdfast.testkit.stores.SampleEntries.held;
import static dev.holdfast.testkit.stores.SampleEntries.token;
import static dev.holdfast.testkit.stores.SampleEntries.version;
import static dev.holdfast.testkit.stores.SampleEntries.withFence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.store.Term;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that every field is read back as it was written, up to its limits. */
abstract class StoreFieldContract extends StoreBeatContract {
    /** One character outside the Basic Multilingual Plane: two chars, four bytes of UTF-8. */
    private static final String ROCKET = "\uD83D\uDE80";

    private static final String ODD_TEXT = " \t\r\n'\"`%_\\;--/*${}\u00e9e\u0301\u00df\u0130\uffff" + ROCKET;

    @Test
    void everyStateRoundTrips() {
        assertRoundTrips(held("held"));
        assertRoundTrips(SampleEntries.free("free"));
        ifDone(SampleEntries.done("done")).forEach(this::assertRoundTrips);
        assertRoundTrips(Entry.empty(Key.of("empty"), version(), Fence.of(7), TIME));
    }

    @Test
    void anAnchorRoundTrips() {
        needs(StoreFeature.ANCHORS);
        AnchorRef anchor = new AnchorRef(Key.ofAnchor(Holder.of("worker " + ROCKET)), Fence.of(Long.MAX_VALUE));
        Grant own = grant("ann");
        Grant anchored = new Grant(own.token(), own.holder(), own.term(), own.beat(), own.grantedAt(), anchor);

        assertRoundTrips(held(Key.of("child"), anchored));
        assertRoundTrips(held(Key.of("freed child"), anchored).freed(version()));
        assertRoundTrips(held(Key.of("no child"), own));
    }

    @Test
    void largeNumbersRoundTrip() {
        assertRoundTrips(withFence(held("fence"), Long.MAX_VALUE));
        assertRoundTrips(withFence(held("micros"), 1_800_000_000_000_000L));
        Grant grant = grant("ann");
        assertRoundTrips(new Entry(
                Key.of("grants"),
                version(),
                LeaseState.HELD,
                Fence.of(1),
                (1L << 32) + 5,
                grant,
                Attributes.NONE,
                TIME,
                null));
    }

    @Test
    void termsRoundTripToTheMillisecond() {
        for (Term term : List.of(Term.ofMillis(1), Term.ofMillis(1_234_567), Term.of(SizeLimits.TERM_MAX))) {
            Grant grant = new Grant(token(), Holder.of("ann"), term, Beat.of(version()), TIME, null);
            assertRoundTrips(held(Key.of("term " + term), grant));
        }
    }

    @Test
    void timesRoundTripToTheMicrosecond() {
        needs(StoreFeature.DONE);
        Instant odd = Instant.parse("1999-12-31T23:59:59.999999Z");
        Instant even = Instant.parse("2026-07-01T00:00:00Z");
        Grant grant = new Grant(token(), Holder.of("ann"), Term.ofMillis(1), Beat.of(version()), odd, null);
        assertRoundTrips(new Entry(
                Key.of("times"),
                version(),
                LeaseState.DONE,
                Fence.of(1),
                1,
                grant,
                Attributes.NONE,
                even,
                odd.plusNanos(1000)));
    }

    @Test
    void theLongestTextsRoundTrip() {
        Key longest = key(ROCKET.repeat(SizeLimits.NAMESPACE_BYTES / 4), ROCKET.repeat(SizeLimits.NAME_BYTES / 4));
        assertRoundTrips(held(longest, grant(ROCKET.repeat(SizeLimits.HOLDER_BYTES / 4))));
        assertRoundTrips(held(
                key("n".repeat(SizeLimits.NAMESPACE_BYTES), "k".repeat(SizeLimits.NAME_BYTES)),
                grant("h".repeat(SizeLimits.HOLDER_BYTES))));
    }

    @Test
    void oddTextsRoundTrip() {
        assertRoundTrips(held(key(ODD_TEXT, ODD_TEXT), grant(ODD_TEXT)));
    }

    @Test
    void keysThatOnlyLookAlikeAreDifferent() {
        needs(StoreFeature.NAMESPACES);
        List<Key> keys = List.of(
                Key.of("a", "b/c"),
                Key.of("a/b", "c"),
                Key.of("ab"),
                Key.of("a", "b"),
                Key.of("", "a"),
                Key.of("A"),
                Key.of("a "),
                Key.of(" a"),
                Key.of("\u00e9"),
                Key.of("e\u0301"),
                Key.of("e"),
                Key.of("\u00df"),
                Key.of("ss"));
        List<Entry> entries = keys.stream().map(SampleEntries::held).toList();

        putAll(entries);

        for (Entry entry : entries) {
            assertThat(stored(entry.key())).isEqualTo(entry);
        }
    }

    @Test
    void attributesOfEveryKindRoundTrip() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes attributes = Attributes.of("text", ODD_TEXT)
                .with("empty text", "")
                .with("number", AttributeValue.of(new BigDecimal("-12345678901234567890.123456789012345678")))
                .with("large", AttributeValue.of(new BigDecimal("9.99E+125")))
                .with("small", AttributeValue.of(new BigDecimal("1E-130")))
                .with("true", true)
                .with("bytes", AttributeValue.of(new byte[] {0, -1, 127, -128}))
                .with(
                        "list",
                        new AttributeValue.ListOf(List.of(
                                AttributeValue.of("a"), AttributeValue.of(1), new AttributeValue.ListOf(List.of()))))
                .with("map", new AttributeValue.MapOf(Map.of(ROCKET, AttributeValue.of(false))));

        assertRoundTrips(held("kinds").withAttributes(version(), attributes));
    }

    @Test
    void storedAttributesWithSetsStayReadable() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes lists = Attributes.of(AttributesWithSets.values());
        Entry before = put(held("sets").withAttributes(version(), AttributesWithSets.stored()));
        assertThat(stored(before.key())).isEqualTo(before.withAttributes(before.version(), lists));

        Entry changed =
                replace(before, before.withAttributes(version(), before.attributes().with("more", 1)));
        assertThat(stored(before.key())).isEqualTo(changed.withAttributes(changed.version(), lists.with("more", 1)));
    }

    @Test
    void theMostAndTheLargestAllowedAttributesRoundTrip() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes many = Attributes.NONE;
        for (int i = 0; i < SizeLimits.ATTRIBUTE_COUNT; i++) {
            many = many.with("attribute-" + i, i);
        }
        assertRoundTrips(held("many").withAttributes(version(), many));

        int overhead = Attributes.of("x", AttributeValue.of(new byte[60_000])).encoded().length - 60_000;
        Attributes large = Attributes.of("x", AttributeValue.of(new byte[SizeLimits.ATTRIBUTES_BYTES - overhead]));
        assertThat(large.encoded()).hasSize(SizeLimits.ATTRIBUTES_BYTES);
        assertRoundTrips(held("large").withAttributes(version(), large));
    }

    @Test
    void aReplacementChangesEveryField() {
        Attributes attributes = has(StoreFeature.ATTRIBUTES) ? Attributes.of("x", "1") : Attributes.NONE;
        Entry before = put(held("a").withAttributes(version(), attributes));
        List<Entry> chain = new ArrayList<>();
        chain.add(before.freed(version()));
        chain.addAll(ifDone(before.done(version(), TIME, Attributes.NONE)));
        chain.add(Entry.empty(before.key(), version(), Fence.of(1001), TIME.plusSeconds(9)));
        chain.add(withFence(held(before.key(), grant("bob")), 1002));

        Entry last = before;
        for (Entry next : chain) {
            last = replace(last, next);
            assertThat(stored(before.key())).isEqualTo(next);
        }
    }

    private void assertRoundTrips(Entry entry) {
        put(entry);
        assertThat(stored(entry.key())).isEqualTo(entry);
    }
}
