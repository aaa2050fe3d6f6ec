package dev.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AttributeValue.Bytes;
import dev.holdfast.AttributeValue.ListOf;
import dev.holdfast.AttributeValue.MapOf;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AttributeCodecTest {
    private static final HexFormat HEX = HexFormat.of();

    /** Pins the format: stored bytes must stay readable, so a failure here means a new version byte is due. */
    @Test
    void theFormatIsPinned() {
        String golden = "01 08"
                + "01 61 01 02 68 69" // a = "hi"
                + "01 62 02 04 2d 31 2e 35" // b = -1.5
                + "01 63 02 04 31 45 2b 32" // c = 100
                + "01 64 03" // d = false
                + "01 65 04" // e = true
                + "01 66 05 02 00 ff" // f = 0x00ff
                + "01 67 06 02 04 01 00" // g = [true, ""]
                + "01 68 07 01 01 6b 02 01 30"; // h = {k=0}

        byte[] encoded = AttributeCodec.encode(sample());

        assertThat(HEX.formatHex(encoded)).isEqualTo(golden.replace(" ", ""));
        assertThat(AttributeCodec.decode(encoded)).isEqualTo(sample());
    }

    /** Bytes as they were written when attributes had sets: values of these types stay readable for ever. */
    @Test
    void storedSetsAreReadAsListsInTheOrderOfTheirElements() {
        String stored = "01 05"
                + "01 69 08 02 01 61 02 c3 a9" // i = a set of texts: "a", "é"
                + "01 6a 09 02 02 2d 31 01 32" // j = a set of numbers: -1, 2
                + "01 6b 0a 02 01 01 01 80" // k = a set of bytes: 0x01, 0x80
                + "01 6c 06 02 08 00 07 01 01 6d 09 01" // l = [an empty set, {m = a set of one number}]
                + "28 2d" + "31".repeat(20) + "2e" + "32".repeat(17) + "33" // -11111111111111111111.222222222222222223
                + "01 6e 04"; // n = true
        ListOf texts = new ListOf(List.of(AttributeValue.of("a"), AttributeValue.of("\u00e9")));
        ListOf numbers = new ListOf(List.of(AttributeValue.of(-1), AttributeValue.of(2)));
        ListOf bytes = new ListOf(List.of(new Bytes(new byte[] {1}), new Bytes(new byte[] {-128})));
        BigDecimal longest = new BigDecimal("-" + "1".repeat(20) + "." + "2".repeat(17) + "3");
        MapOf map = new MapOf(Map.of("m", new ListOf(List.of(AttributeValue.of(longest)))));
        ListOf nested = new ListOf(List.of(new ListOf(List.of()), map));
        MapOf expected =
                new MapOf(Map.of("i", texts, "j", numbers, "k", bytes, "l", nested, "n", AttributeValue.of(true)));

        byte[] encoded = HEX.parseHex(stored.replace(" ", ""));

        assertThat(AttributeCodec.decode(encoded)).isEqualTo(expected);
        assertThat(AttributeCodec.decode(AttributeCodec.encode(expected))).isEqualTo(expected);
    }

    @Test
    void noAttributesTakeTwoBytes() {
        assertThat(AttributeCodec.encode(new MapOf(Map.of()))).containsExactly(1, 0);
    }

    @Test
    void countsTakeAsManyBytesAsTheyNeed() {
        assertThat(HEX.formatHex(AttributeCodec.encode(text("x".repeat(127))), 4, 6))
                .isEqualTo("017f");
        assertThat(HEX.formatHex(AttributeCodec.encode(text("x".repeat(128))), 4, 7))
                .isEqualTo("018001");
        assertThat(HEX.formatHex(AttributeCodec.encode(text("x".repeat(16384))), 4, 8))
                .isEqualTo("01808001");
    }

    @Test
    void randomAttributesComeBackEqualAndEncodeTheSame() {
        for (int seed = 0; seed < 2_000; seed++) {
            MapOf attributes = new RandomValues(new Random(seed)).attributes();
            byte[] encoded = AttributeCodec.encode(attributes);
            MapOf decoded = AttributeCodec.decode(encoded);
            assertThat(decoded).as("seed %d", seed).isEqualTo(attributes).hasSameHashCodeAs(attributes);
            assertThat(decoded).as("seed %d", seed).hasToString(attributes.toString());
            assertThat(AttributeCodec.encode(decoded)).as("seed %d", seed).isEqualTo(encoded);
        }
    }

    @Test
    void insertionOrderDoesNotShowInTheBytes() {
        Map<String, AttributeValue> forward = new LinkedHashMap<>();
        forward.put("\uE000", AttributeValue.of(1));
        forward.put("\uD83D\uDE80", AttributeValue.of(2));
        Map<String, AttributeValue> backward = new LinkedHashMap<>();
        backward.put("\uD83D\uDE80", AttributeValue.of(2));
        backward.put("\uE000", AttributeValue.of(1));

        assertThat(AttributeCodec.encode(new MapOf(forward))).isEqualTo(AttributeCodec.encode(new MapOf(backward)));
    }

    @Test
    void everySingleByteChangeIsRefusedOrStillCanonical() {
        byte[] encoded = AttributeCodec.encode(sample());
        for (int at = 0; at < encoded.length; at++) {
            for (int flip = 1; flip < 256; flip++) {
                byte[] changed = encoded.clone();
                changed[at] ^= (byte) flip;
                assertRefusedOrCanonical(changed);
            }
        }
    }

    @Test
    void randomChangesAreRefusedOrStillCanonical() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            byte[] encoded = AttributeCodec.encode(new RandomValues(random).attributes());
            for (int change = 0; change < 20; change++) {
                byte[] changed = encoded.clone();
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(16);
                assertRefusedOrCanonical(changed);
            }
        }
    }

    @Test
    void everyTruncationIsRefused() {
        byte[] encoded = AttributeCodec.encode(sample());
        for (int length = 0; length < encoded.length; length++) {
            byte[] cut = Arrays.copyOf(encoded, length);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AttributeCodec.decode(cut))
                    .withMessageMatching("attributes: at byte \\d+, .+ \\(expected: .+\\)");
        }
    }

    @Test
    void theFrameIsChecked() {
        assertRefused("", "at byte 0, end (expected: more bytes)");
        assertRefused("02 00", "at byte 0, version 2 (expected: version 1)");
        assertRefused("01 00 00", "at byte 2, trailing bytes (expected: the end)");
        assertRefused("01 01 01 61 0b", "at byte 4, tag 0x0b (expected: 0x01 to 0x0a)");
    }

    @Test
    void hostileCountsAreRefusedBeforeAnythingIsAllocated() {
        assertRefused("01 ff ff 7f", "at byte 1, count 2097151 (expected: <= 0)");
        assertRefused("01 01 01 61 06 7f 03", "at byte 5, count 127 (expected: <= 1)");
        assertRefused("01 ff ff ff ff 07", "at byte 1, count (expected: the shortest form, of <= 3 bytes)");
        assertRefused("01 80 00", "at byte 1, count (expected: the shortest form, of <= 3 bytes)");
    }

    @Test
    void namesAreChecked() {
        assertRefused("01 01 00 03", "at byte 2, name of 0 bytes (expected: 1 to 256 bytes)");
        assertRefused(
                "01 01 81 02" + "61".repeat(257) + "03", "at byte 2, name of 257 bytes (expected: 1 to 256 bytes)");
        assertRefused("01 02 01 62 03 01 61 03", "at byte 5, element out of order (expected: strictly ascending)");
        assertRefused("01 02 01 61 03 01 61 03", "at byte 5, element out of order (expected: strictly ascending)");
    }

    @Test
    void setsAreCheckedForOrderAndDuplicates() {
        assertRefused(
                "01 01 01 61 08 02 01 62 01 61", "at byte 8, element out of order (expected: strictly ascending)");
        assertRefused(
                "01 01 01 61 09 02 01 32 01 32", "at byte 8, element out of order (expected: strictly ascending)");
        assertRefused(
                "01 01 01 61 0a 02 01 80 01 01", "at byte 8, element out of order (expected: strictly ascending)");
    }

    @Test
    void textIsChecked() {
        assertRefused("01 01 01 61 01 02 c0 80", "at byte 5, malformed text (expected: UTF-8)");
        assertRefused("01 01 01 61 01 03 ed a0 80", "at byte 5, malformed text (expected: UTF-8)");
        assertRefused("01 01 01 61 01 01 00", "at byte 5, NUL in text (expected: no NUL character)");
    }

    @Test
    void numbersAreCheckedForTheirCanonicalForm() {
        for (String number : List.of("", "x", "2.0", "+2", "-0", "0E+3", "100", "1e+2", "\u0662", "1E+126", "1E-131")) {
            assertNumberRefused(number);
        }
        assertNumberRefused("1".repeat(39));
        assertNumberRefused("1E+99999999999");
    }

    @Test
    void depthIsLimitedBothWays() {
        assertThat(AttributeCodec.decode(AttributeCodec.encode(nested(16)))).isEqualTo(nested(16));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AttributeCodec.encode(nested(17)))
                .withMessage("attributes: depth 17 (expected: depth <= 16)");
        assertRefused("01 01 01 61" + "06 01".repeat(16) + "03", "depth 17 (expected: depth <= 16)");
        assertRefused("01 01 01 61" + "06 01".repeat(30_000) + "03", "depth 17 (expected: depth <= 16)");
    }

    @Test
    void sizeIsLimitedBothWays() {
        byte[] largest = AttributeCodec.encode(text("x".repeat(65_536 - 8)));
        assertThat(largest).hasSize(65_536);
        assertThat(AttributeCodec.decode(largest)).isEqualTo(text("x".repeat(65_536 - 8)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AttributeCodec.encode(text("x".repeat(65_536 - 7))))
                .withMessage("attributes: > 65536 bytes (expected: <= 65536 bytes)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Attributes.decode(new byte[65_537]))
                .withMessage("attributes: 65537 bytes (expected: <= 65536 bytes)");
    }

    @Test
    void aSmallValueThatUnfoldsToAHugeOneIsRefusedSoon() {
        AttributeValue value = AttributeValue.of(true);
        for (int level = 0; level < 14; level++) {
            value = new ListOf(List.of(value, value, value, value, value, value, value, value, value, value));
        }
        MapOf huge = new MapOf(Map.of("a", value));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> AttributeCodec.encode(huge))
                .withMessage("attributes: > 65536 bytes (expected: <= 65536 bytes)");
    }

    @Test
    void theNumberOfNamesIsLimitedBothWays() {
        Map<String, AttributeValue> names = new HashMap<>();
        StringBuilder hex = new StringBuilder("01 81 01");
        for (int i = 0; i < 129; i++) {
            String name = String.valueOf((char) ('\u0100' + i));
            names.put(name, AttributeValue.of(true));
            hex.append("02").append(HEX.formatHex(name.getBytes(UTF_8))).append("04");
        }
        assertRefused(hex.toString(), "129 names (expected: <= 128 names)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AttributeCodec.encode(new MapOf(names)))
                .withMessage("attributes: 129 names (expected: <= 128 names)");
    }

    private static MapOf sample() {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put("a", AttributeValue.of("hi"));
        values.put("b", AttributeValue.of(new BigDecimal("-1.50")));
        values.put("c", AttributeValue.of(100));
        values.put("d", AttributeValue.of(false));
        values.put("e", AttributeValue.of(true));
        values.put("f", AttributeValue.of(new byte[] {0, -1}));
        values.put("g", new ListOf(List.of(AttributeValue.of(true), AttributeValue.of(""))));
        values.put("h", new MapOf(Map.of("k", AttributeValue.of(0))));
        return new MapOf(values);
    }

    private static MapOf text(String text) {
        return new MapOf(Map.of("a", AttributeValue.of(text)));
    }

    private static MapOf nested(int depth) {
        AttributeValue value = AttributeValue.of(true);
        for (int level = 1; level < depth; level++) {
            value = level % 2 == 0 ? new ListOf(List.of(value)) : new MapOf(Map.of("a", value));
        }
        return new MapOf(Map.of("a", value));
    }

    private static void assertRefusedOrCanonical(byte[] bytes) {
        MapOf decoded;
        try {
            decoded = AttributeCodec.decode(bytes);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("attributes: ");
            return;
        }
        byte[] canonical = AttributeCodec.encode(decoded);
        if (!Arrays.equals(canonical, bytes)) {
            // Only a stored set may encode to other bytes: to a list, which has a tag before each of its elements.
            assertThat(HEX.withDelimiter(" ").formatHex(bytes)).containsPattern("0[89a]");
            assertThat(canonical.length).isGreaterThanOrEqualTo(bytes.length);
            assertThat(AttributeCodec.decode(canonical)).isEqualTo(decoded);
        }
    }

    private static void assertNumberRefused(String number) {
        byte[] utf8 = number.getBytes(UTF_8);
        String hex = "01 01 01 61 02" + HEX.toHexDigits((byte) utf8.length) + HEX.formatHex(utf8);
        assertRefused(hex, "at byte 5, number " + number + " (expected: a number in canonical form)");
    }

    private static void assertRefused(String hex, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AttributeCodec.decode(HEX.parseHex(hex.replace(" ", ""))))
                .withMessage("attributes: " + message);
    }

    /** Attributes of every kind, small enough to stay within all limits. */
    private static final class RandomValues {
        private final Random random;

        RandomValues(Random random) {
            this.random = random;
        }

        MapOf attributes() {
            return map(1);
        }

        private AttributeValue value(int depth) {
            return switch (random.nextInt(depth < 5 ? 6 : 4)) {
                case 0 -> AttributeValue.of(text());
                case 1 -> AttributeValue.of(number());
                case 2 -> AttributeValue.of(random.nextBoolean());
                case 3 -> bytes();
                case 4 -> list(depth + 1);
                default -> map(depth + 1);
            };
        }

        private ListOf list(int depth) {
            List<AttributeValue> values = new ArrayList<>();
            for (int left = random.nextInt(5); left > 0; left--) {
                values.add(value(depth));
            }
            return new ListOf(values);
        }

        private MapOf map(int depth) {
            Map<String, AttributeValue> entries = new HashMap<>();
            for (int left = random.nextInt(6); left > 0; left--) {
                entries.put("n" + text(), value(depth));
            }
            return new MapOf(entries);
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(12); left > 0; left--) {
                text.appendCodePoint(codePoint());
            }
            return text.toString();
        }

        private int codePoint() {
            return switch (random.nextInt(4)) {
                case 0 -> 0x80 + random.nextInt(0x700);
                case 1 -> 0xe000 + random.nextInt(0x2000);
                case 2 -> 0x10000 + random.nextInt(0x100000);
                default -> 1 + random.nextInt(0x7f);
            };
        }

        private BigDecimal number() {
            BigInteger unscaled = new BigInteger(random.nextInt(126), random);
            int scale = random.nextInt(180) - 87; // with up to 38 digits, within 1E-130 and 1E+126
            BigDecimal number = new BigDecimal(unscaled, scale);
            return random.nextBoolean() ? number : number.negate();
        }

        private Bytes bytes() {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            return new Bytes(bytes);
        }
    }
}
