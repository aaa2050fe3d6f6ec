package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AttributesTest {
    private static final Attributes SHARD =
            Attributes.of("shard", "s-1").with("checkpoint", 42).with("done", false);

    @Test
    void valuesAreFoundByNameAndKind() {
        assertThat(SHARD.text("shard")).contains("s-1");
        assertThat(SHARD.number("checkpoint").orElseThrow()).isEqualByComparingTo("42");
        assertThat(SHARD.bool("done")).contains(false);
        assertThat(SHARD.get("shard")).contains(AttributeValue.of("s-1"));
    }

    @Test
    void anAbsentValueOrOneOfAnotherKindIsEmpty() {
        assertThat(SHARD.get("owner")).isEmpty();
        assertThat(SHARD.text("checkpoint")).isEmpty();
        assertThat(SHARD.number("shard")).isEmpty();
        assertThat(SHARD.bool("shard")).isEmpty();
    }

    @Test
    void namesComeInCodePointOrder() {
        Attributes attributes = Attributes.of("\uD83D\uDE80", "rocket")
                .with("\uE000", 1)
                .with("b", 2)
                .with("a", 3);

        assertThat(attributes.names()).containsExactly("a", "b", "\uE000", "\uD83D\uDE80");
        assertThat(attributes.asMap().keySet()).containsExactlyElementsOf(attributes.names());
    }

    @Test
    void theyNeverChange() {
        Map<String, AttributeValue> source = new HashMap<>(Map.of("a", AttributeValue.of(1)));
        Attributes attributes = Attributes.of(source);
        source.put("b", AttributeValue.of(2));
        attributes.encoded()[0] = 99;

        assertThat(attributes).isEqualTo(Attributes.NONE.with("a", 1));
        assertThat(attributes.encoded()).isEqualTo(Attributes.NONE.with("a", 1).encoded());
        assertThatThrownBy(() -> attributes.asMap().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> attributes.names().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void withAndWithoutGiveNewOnes() {
        assertThat(SHARD.with("shard", "s-2").text("shard")).contains("s-2");
        assertThat(SHARD.text("shard")).contains("s-1");
        assertThat(SHARD.without("shard").names()).containsExactly("checkpoint", "done");
        assertThat(SHARD.without("owner")).isSameAs(SHARD);
        assertThat(Attributes.of("a", "b").without("a")).isSameAs(Attributes.NONE);
    }

    @Test
    void noneIsEmpty() {
        assertThat(Attributes.NONE).hasToString("{}");
        assertThat(Attributes.NONE.isEmpty()).isTrue();
        assertThat(Attributes.NONE.size()).isZero();
        assertThat(Attributes.of(Map.of())).isSameAs(Attributes.NONE);
        assertThat(Attributes.decode(Attributes.NONE.encoded())).isSameAs(Attributes.NONE);
    }

    @Test
    void decodedOnesEqualThoseThatWereEncoded() {
        Attributes decoded = Attributes.decode(SHARD.encoded());

        assertThat(decoded).isEqualTo(SHARD).hasSameHashCodeAs(SHARD).hasToString(SHARD.toString());
        assertThat(decoded.asMap()).isEqualTo(SHARD.asMap());
        assertThat(decoded.size()).isEqualTo(3);
        assertThat(decoded).isNotEqualTo(SHARD.with("checkpoint", 43));
    }

    @Test
    void decodingTakesACopy() {
        byte[] bytes = SHARD.encoded();
        Attributes decoded = Attributes.decode(bytes);
        bytes[3] = 99;

        assertThat(decoded.text("shard")).contains("s-1");
    }

    @Test
    void corruptBytesAreReportedAtEveryReadAndNotBefore() {
        Attributes corrupt = Attributes.decode(new byte[] {1, 1, 1, 'a', 0x2a});

        String message = "attributes: at byte 4, tag 0x2a (expected: 0x01 to 0x0a)";
        assertRefused(() -> corrupt.get("a"), message);
        assertRefused(corrupt::names, message);
        assertRefused(() -> corrupt.with("b", 1), message);
    }

    @Test
    void corruptOnesCanBeComparedPrintedAndCopied() {
        Attributes corrupt = Attributes.decode(new byte[] {1, 1, 1, 'a', 0x2a});

        assertThat(corrupt).isEqualTo(Attributes.decode(corrupt.encoded())).isNotEqualTo(SHARD);
        assertThat(corrupt).hasToString("{corrupt, 5 bytes}");
    }

    @Test
    void theyPrintAsAMap() {
        assertThat(SHARD).hasToString("{checkpoint=42, done=false, shard=\"s-1\"}");
    }

    @Test
    void numbersAreEqualByValue() {
        assertThat(number("2.0")).isEqualTo(number("2")).hasSameHashCodeAs(number("2"));
        assertThat(number("0.000")).isEqualTo(AttributeValue.of(0)).hasToString("0");
        assertThat(number("-0E+400")).isEqualTo(AttributeValue.of(0));
    }

    @Test
    void numbersPrintAsAPersonWouldWriteThem() {
        assertThat(AttributeValue.of(100)).hasToString("100");
        assertThat(number("-1.50")).hasToString("-1.5");
        assertThat(number("1E+18")).hasToString("1000000000000000000");
        assertThat(number("1E+19")).hasToString("1E+19");
        assertThat(number("1E-130")).hasToString("1E-130");
    }

    @Test
    void mapsDoNotRememberInsertionOrder() {
        assertThat(new MapOf(Map.of("b", bytes(1), "a", bytes(2))).entries().keySet())
                .containsExactly("a", "b");
    }

    /** {@code a} is a set of the text "x", as it was written when attributes had sets. */
    @Test
    void aStoredSetEqualsTheListThatItIsReadAs() {
        byte[] stored = {1, 1, 1, 'a', 8, 1, 1, 'x'};
        Attributes set = Attributes.decode(stored);
        Attributes list = Attributes.of("a", new ListOf(List.of(AttributeValue.of("x"))));

        assertThat(set).isEqualTo(list).hasSameHashCodeAs(list).hasToString("{a=[\"x\"]}");
        assertThat(set.encoded()).isEqualTo(stored);
        assertThat(set.with("b", 1)).isEqualTo(list.with("b", 1));
        assertThat(set.with("b", 1).encoded()).isEqualTo(list.with("b", 1).encoded());
    }

    @Test
    void collectionsMayBeEmpty() {
        Attributes attributes = Attributes.of("d", new ListOf(List.of())).with("e", new MapOf(Map.of()));

        assertThat(attributes).hasToString("{d=[], e={}}");
        assertThat(Attributes.decode(attributes.encoded()).asMap()).isEqualTo(attributes.asMap());
    }

    @Test
    void collectionsAreCopiedAndUnmodifiable() {
        List<AttributeValue> source = new ArrayList<>(List.of(AttributeValue.of(1)));
        ListOf list = new ListOf(source);
        source.clear();

        assertThat(list.values()).containsExactly(AttributeValue.of(1));
        assertUnmodifiable(() -> list.values().clear());
        assertUnmodifiable(() -> new MapOf(Map.of("a", list)).entries().clear());
    }

    @Test
    void bytesAreCopiedBothWays() {
        byte[] source = {1, 2};
        Bytes bytes = new Bytes(source);
        source[0] = 9;
        bytes.toArray()[1] = 9;

        assertThat(bytes.toArray()).containsExactly(1, 2);
        assertThat(bytes).isEqualTo(bytes(1, 2)).hasSameHashCodeAs(bytes(1, 2)).isNotEqualTo(bytes(1));
    }

    @Test
    void valuesPrintShortAndVisible() {
        assertThat(AttributeValue.of("a\nb")).hasToString("\"a\\u000ab\"");
        assertThat(AttributeValue.of("x".repeat(65))).hasToString("\"" + "x".repeat(64) + "... (65 chars)\"");
        assertThat(AttributeValue.of(new byte[] {1, -1})).hasToString("0x01ff");
        assertThat(AttributeValue.of(new byte[17])).hasToString("0x" + "00".repeat(16) + "... (17 bytes)");
        assertThat(new ListOf(List.of(AttributeValue.of("a"), AttributeValue.of(true))))
                .hasToString("[\"a\", true]");
    }

    @Test
    void namesAreLimited() {
        String expected = " (expected: <= 256 bytes of UTF-8)";
        assertThatCode(() -> SHARD.with("n".repeat(256), 1)).doesNotThrowAnyException();
        assertRefused(
                () -> SHARD.with("n".repeat(257), 1),
                "attribute name: " + "n".repeat(64) + "... (257 chars)" + expected);
        assertRefused(() -> SHARD.with("", 1), "attribute name: \"\" (expected: not empty)");
        assertRefused(() -> SHARD.with("a\0", 1), "attribute name: a\\u0000 (expected: no NUL character)");
        assertRefused(() -> new MapOf(Map.of("", AttributeValue.of(1))), "attribute name: \"\" (expected: not empty)");
    }

    @Test
    void textsAndBytesAreLimited() {
        assertRefused(() -> AttributeValue.of("a\0"), "text: a\\u0000 (expected: no NUL character)");
        assertRefused(() -> AttributeValue.of("\uD800"), "text: \\ud800 (expected: no lone surrogate)");
        assertRefused(
                () -> AttributeValue.of("x".repeat(65_537)),
                "text: " + "x".repeat(64) + "... (65537 chars) (expected: <= 65536 bytes of UTF-8)");
        assertRefused(() -> AttributeValue.of(new byte[65_537]), "bytes: 65537 bytes (expected: <= 65536 bytes)");
    }

    @Test
    void numbersAreLimitedToTheRangeOfEveryStore() {
        String nines = "9".repeat(38);
        String range = " (expected: 0, or magnitude >= 1E-130 and < 1E+126)";
        String digits = " (expected: <= 38 significant digits)";
        for (String good : List.of(nines, "-" + nines + "E+88", "1E-130", "-1E+125", nines + "0".repeat(50))) {
            assertThat(number(good)).as(good).isEqualTo(number(good));
        }
        assertRefused(() -> number("1E+126"), "number: 1E+126" + range);
        assertRefused(() -> number("-9.9E-131"), "number: -9.9E-131" + range);
        assertRefused(() -> number(nines + "9"), "number: " + nines + "9" + digits);
        assertRefused(() -> AttributeValue.of(new BigDecimal("10E+2147483646")), "number: 1.0E+2147483647" + range);
    }

    @Test
    void theirCountIsLimited() {
        Map<String, AttributeValue> values = new HashMap<>();
        for (int i = 0; i < 128; i++) {
            values.put("n" + i, AttributeValue.of(i));
        }
        Attributes full = Attributes.of(values);

        assertThat(full.size()).isEqualTo(128);
        assertRefused(() -> full.with("one more", 1), "attributes: 129 names (expected: <= 128 names)");
    }

    @Test
    void theirSizeIsLimited() {
        String half = "x".repeat(32_768);
        assertRefused(
                () -> Attributes.of("a", half).with("b", half), "attributes: > 65536 bytes (expected: <= 65536 bytes)");
        assertRefused(() -> Attributes.decode(new byte[65_537]), "attributes: 65537 bytes (expected: <= 65536 bytes)");
    }

    @Test
    void theirDepthIsLimited() {
        AttributeValue value = AttributeValue.of(true);
        for (int depth = 1; depth < 16; depth++) {
            value = new ListOf(List.of(value));
        }
        AttributeValue deepest = value;

        assertThat(Attributes.of("a", deepest).get("a")).contains(deepest);
        assertRefused(
                () -> Attributes.of("a", new ListOf(List.of(deepest))), "attributes: depth 17 (expected: depth <= 16)");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void nullIsRefusedByName() {
        assertNull(() -> SHARD.with(null, 1), "attribute name");
        assertNull(() -> Attributes.of("a", (AttributeValue) null), "attribute value");
        assertNull(() -> AttributeValue.of((String) null), "text");
        assertNull(() -> AttributeValue.of((BigDecimal) null), "number");
        assertNull(() -> AttributeValue.of((byte[]) null), "bytes");
    }

    private static AttributeValue number(String text) {
        return AttributeValue.of(new BigDecimal(text));
    }

    private static Bytes bytes(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        return new Bytes(bytes);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }

    private static void assertUnmodifiable(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class);
    }

    private static void assertNull(ThrowingCallable call, String field) {
        assertThatNullPointerException().isThrownBy(call).withMessage(field);
    }
}
