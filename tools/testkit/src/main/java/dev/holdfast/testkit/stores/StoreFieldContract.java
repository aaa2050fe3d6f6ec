package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.StoreFeature;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
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
interface StoreFieldContract extends StoreSteps {
    /** One character outside the Basic Multilingual Plane: two chars, four bytes of UTF-8. */
    String ROCKET = "\uD83D\uDE80";

    String ODD_TEXT = " \t\r\n'\"`%_\\;--/*${}\u00e9e\u0301\u00df\u0130\uffff" + ROCKET;

    @Test
    default void everyStateRoundTrips() {
        assertRoundTrips(held("held"));
        assertRoundTrips(free("free"));
        ifDone(done("done")).forEach(this::assertRoundTrips);
        assertRoundTrips(Entry.empty(Key.of("empty"), version(), Fence.of(7), TIME));
    }

    @Test
    default void anAnchorRoundTrips() {
        needs(StoreFeature.ANCHORS);
        var anchor = new AnchorRef(Key.ofAnchor(Holder.of("worker " + ROCKET)), Fence.of(Long.MAX_VALUE));
        var own = grant("ann");
        var anchored = new Grant(own.token(), own.holder(), own.term(), own.beat(), own.grantedAt(), anchor);

        assertRoundTrips(held(Key.of("child"), anchored));
        assertRoundTrips(held(Key.of("freed child"), anchored).freed(version()));
        assertRoundTrips(held(Key.of("no child"), own));
    }

    @Test
    default void historiesRoundTrip() {
        needs(StoreFeature.HISTORY);
        List<PastGrant> lines = new ArrayList<>();
        for (GrantEnd end : GrantEnd.values()) {
            int number = lines.size() + 1;
            boolean evicted = end == GrantEnd.EVICTED;
            lines.add(new PastGrant(
                    number,
                    Holder.of("holder " + number % 3 + ROCKET),
                    Fence.of(100 + number),
                    TIME.plusNanos(number * 1_000L),
                    end,
                    TIME.plusSeconds(number),
                    evicted ? Holder.of("operator") : null,
                    evicted ? "it hangs" : null));
        }
        assertRoundTrips(held("history").withHistory(GrantHistory.of(TIME, lines)));
        assertRoundTrips(held("no history").withHistory(GrantHistory.of(TIME, List.of())));
        assertRoundTrips(
                held("freed history").withHistory(GrantHistory.of(TIME, lines)).freed(version()));
    }

    @Test
    default void largeNumbersRoundTrip() {
        assertRoundTrips(withFence(held("fence"), Long.MAX_VALUE));
        assertRoundTrips(withFence(held("micros"), 1_800_000_000_000_000L));
        var grant = grant("ann");
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
    default void termsRoundTripToTheMillisecond() {
        for (Term term : List.of(Term.ofMillis(1), Term.ofMillis(1_234_567), Term.of(SizeLimits.TERM_MAX))) {
            var grant = new Grant(token(), Holder.of("ann"), term, Beat.of(version()), TIME, null);
            assertRoundTrips(held(Key.of("term " + term), grant));
        }
    }

    @Test
    default void timesRoundTripToTheMicrosecond() {
        needs(StoreFeature.DONE);
        Instant odd = Instant.parse("1999-12-31T23:59:59.999999Z");
        Instant even = Instant.parse("2026-07-01T00:00:00Z");
        var grant = new Grant(token(), Holder.of("ann"), Term.ofMillis(1), Beat.of(version()), odd, null);
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
    default void theLongestTextsRoundTrip() {
        var longest = key(ROCKET.repeat(SizeLimits.NAMESPACE_BYTES / 4), ROCKET.repeat(SizeLimits.NAME_BYTES / 4));
        assertRoundTrips(held(longest, grant(ROCKET.repeat(SizeLimits.HOLDER_BYTES / 4))));
        assertRoundTrips(held(
                key("n".repeat(SizeLimits.NAMESPACE_BYTES), "k".repeat(SizeLimits.NAME_BYTES)),
                grant("h".repeat(SizeLimits.HOLDER_BYTES))));
    }

    @Test
    default void oddTextsRoundTrip() {
        assertRoundTrips(held(key(ODD_TEXT, ODD_TEXT), grant(ODD_TEXT)));
    }

    @Test
    default void keysThatOnlyLookAlikeAreDifferent() {
        needs(StoreFeature.NAMESPACES);
        var keys = List.of(
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
        var entries = keys.stream().map(this::held).toList();

        putAll(entries);

        for (Entry entry : entries) {
            assertThat(stored(entry.key())).isEqualTo(entry);
        }
    }

    @Test
    default void attributesOfEveryKindRoundTrip() {
        needs(StoreFeature.ATTRIBUTES);
        var attributes = Attributes.of("text", ODD_TEXT)
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
    default void storedAttributesWithSetsStayReadable() {
        needs(StoreFeature.ATTRIBUTES);
        Attributes lists = Attributes.of(AttributesWithSets.values());
        Entry before = put(held("sets").withAttributes(version(), AttributesWithSets.stored()));
        assertThat(stored(before.key())).isEqualTo(before.withAttributes(before.version(), lists));

        Entry changed = replace(
                before, before.withAttributes(version(), before.attributes().with("more", 1)));
        assertThat(stored(before.key())).isEqualTo(changed.withAttributes(changed.version(), lists.with("more", 1)));
    }

    @Test
    default void theMostAndTheLargestAllowedAttributesRoundTrip() {
        needs(StoreFeature.ATTRIBUTES);
        var many = Attributes.NONE;
        for (int i = 0; i < SizeLimits.ATTRIBUTE_COUNT; i++) {
            many = many.with("attribute-" + i, i);
        }
        assertRoundTrips(held("many").withAttributes(version(), many));

        int overhead = Attributes.of("x", AttributeValue.of(new byte[60_000])).encoded().length - 60_000;
        var large = Attributes.of("x", AttributeValue.of(new byte[SizeLimits.ATTRIBUTES_BYTES - overhead]));
        assertThat(large.encoded()).hasSize(SizeLimits.ATTRIBUTES_BYTES);
        assertRoundTrips(held("large").withAttributes(version(), large));
    }

    @Test
    default void aReplacementChangesEveryField() {
        var attributes = has(StoreFeature.ATTRIBUTES) ? Attributes.of("x", "1") : Attributes.NONE;
        var before = put(held("a").withAttributes(version(), attributes));
        List<Entry> chain = new ArrayList<>();
        chain.add(before.freed(version()));
        chain.addAll(ifDone(before.done(version(), TIME, Attributes.NONE)));
        chain.add(Entry.empty(before.key(), version(), Fence.of(1001), TIME.plusSeconds(9)));
        chain.add(withFence(held(before.key(), grant("bob")), 1002));

        var last = before;
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
