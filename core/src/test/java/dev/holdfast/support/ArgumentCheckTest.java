package dev.holdfast.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ArgumentCheckTest {
    private static final Duration WEEK = Duration.ofDays(7);

    @Test
    void goodTextIsReturnedAsIs() {
        assertThat(ArgumentCheck.text("name", "", 10)).isEmpty();
        assertThat(ArgumentCheck.text("name", "orders-7", 10)).isEqualTo("orders-7");
        assertThat(ArgumentCheck.nonEmptyText("name", "\uD83D\uDE80", 4)).isEqualTo("\uD83D\uDE80");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    void nullIsRefusedWithTheField() {
        assertThatNullPointerException()
                .isThrownBy(() -> ArgumentCheck.text("name", null, 10))
                .withMessage("name");
        assertThatNullPointerException()
                .isThrownBy(() -> ArgumentCheck.positive("term", null, WEEK))
                .withMessage("term");
    }

    @Test
    void textThatStoresCannotHoldIsRefused() {
        assertRefused(() -> ArgumentCheck.text("name", "a\0b", 10), "name: a\\u0000b (expected: no NUL character)");
        assertRefused(() -> ArgumentCheck.text("name", "a\uD83D", 10), "name: a\\ud83d (expected: no lone surrogate)");
        assertRefused(
                () -> ArgumentCheck.text("name", "\uDE80\uD83D", 10),
                "name: \\ude80\\ud83d (expected: no lone surrogate)");
        assertRefused(() -> ArgumentCheck.nonEmptyText("name", "", 10), "name: \"\" (expected: not empty)");
    }

    @Test
    void lengthIsCountedInBytesOfUtf8() {
        assertThat(ArgumentCheck.text("name", "\u00e9\u00e9", 4)).hasSize(2);
        assertRefused(
                () -> ArgumentCheck.text("name", "\u00e9\u00e9", 3),
                "name: \u00e9\u00e9 (expected: <= 3 bytes of UTF-8)");
        assertRefused(() -> ArgumentCheck.text("name", "abcd", 3), "name: abcd (expected: <= 3 bytes of UTF-8)");
    }

    @Test
    void aLongValueIsShortenedInTheMessage() {
        assertRefused(
                () -> ArgumentCheck.text("name", "x".repeat(1025), 1024),
                "name: " + "x".repeat(64) + "... (1025 chars) (expected: <= 1024 bytes of UTF-8)");
    }

    @Test
    void shorteningKeepsPairsWhole() {
        assertThat(ArgumentCheck.printable("x".repeat(63) + "\uD83D\uDE80"))
                .isEqualTo("x".repeat(63) + "... (65 chars)");
    }

    @Test
    void invisibleCharactersAreEscaped() {
        assertThat(ArgumentCheck.printable("a\nb\u202Ec\u2028d\u00e9 \uD83D\uDE80\uDBFF\uDFFF"))
                .isEqualTo("a\\u000ab\\u202ec\\u2028d\u00e9 \uD83D\uDE80\\udbff\\udfff");
    }

    @Test
    void aDurationIsPositiveAndBounded() {
        assertThat(ArgumentCheck.positive("term", WEEK, WEEK)).isEqualTo(WEEK);
        assertThat(ArgumentCheck.positive("term", Duration.ofNanos(1), WEEK)).isEqualTo(Duration.ofNanos(1));
        assertTermRefused(Duration.ofSeconds(-1), "term: PT-1S (expected: > PT0S and <= P7D)");
        assertTermRefused(Duration.ZERO, "term: PT0S (expected: > PT0S and <= P7D)");
        assertTermRefused(Duration.ofDays(8), "term: P8D (expected: > PT0S and <= P7D)");
        assertTermRefused(Duration.ofDays(-1), "term: P-1D (expected: > PT0S and <= P7D)");
        assertTermRefused(WEEK.plusNanos(1), "term: PT168H0.000000001S (expected: > PT0S and <= P7D)");
    }

    @Test
    void aBadValueMayBeNull() {
        assertThat(ArgumentCheck.bad("fence", null, "a number")).hasMessage("fence: null (expected: a number)");
    }

    @Test
    void utf8LengthIsThatOfTheEncoding() {
        for (String text : List.of("", "a", "\u007f\u0080\u07ff\u0800\uffff", "\uD800\uDC00\uDBFF\uDFFF")) {
            assertThat(ArgumentCheck.utf8Length(text)).isEqualTo(text.getBytes(UTF_8).length);
        }
    }

    @Test
    void codePointOrderIsTheOrderOfTheUtf8Bytes() {
        assertThat(ArgumentCheck.compareCodePoints("\uE000", "\uD800\uDC00")).isNegative();
        assertThat("\uE000".compareTo("\uD800\uDC00")).isPositive();

        Random random = new Random(42);
        for (int i = 0; i < 20_000; i++) {
            String a = randomText(random);
            String b = randomText(random);
            int expected = Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));
            assertThat(Integer.signum(ArgumentCheck.compareCodePoints(a, b)))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(expected));
        }
    }

    private static String randomText(Random random) {
        int[] alphabet = {'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10001, 0x10ffff};
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(4); left > 0; left--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return text.toString();
    }

    private static void assertTermRefused(Duration term, String message) {
        assertRefused(() -> ArgumentCheck.positive("term", term, WEEK), message);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }
}
