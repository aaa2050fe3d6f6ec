package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyTest {
    /** The ends of each length of UTF-8, and the two places where the order of chars differs from that of bytes. */
    private static final int[] EDGES = {
        0x01, 'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF
    };

    @Test
    void anEmptyNameIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("jobs", ""))
                .withMessage("name: \"\" (expected: not empty)");
    }

    @Test
    void aNameThatIsTooLongIsRefused() {
        String longest = "n".repeat(1024);

        assertThat(Key.of(longest).name()).isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of(longest + "n"))
                .withMessage("name: " + "n".repeat(64) + "... (1025 chars) (expected: <= 1024 bytes of UTF-8)");
    }

    @Test
    void aNamespaceThatIsTooLongIsRefused() {
        String longest = "s".repeat(256);

        assertThat(Key.of(longest, "n").namespace()).isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of(longest + "s", "n"))
                .withMessage("namespace: " + "s".repeat(64) + "... (257 chars) (expected: <= 256 bytes of UTF-8)");
    }

    @Test
    void lengthsCountInBytesOfUtf8() {
        assertThat(Key.of("é".repeat(128), "\uD83D\uDE00".repeat(256)).name()).hasSize(512);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("é".repeat(128) + "s", "n"))
                .withMessageEndingWith("(129 chars) (expected: <= 256 bytes of UTF-8)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("\uD83D\uDE00".repeat(256) + "n"))
                .withMessageEndingWith("(513 chars) (expected: <= 1024 bytes of UTF-8)");
    }

    @Test
    void aKeyThatSomeStoreCannotHoldIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("a\0b"))
                .withMessage("name: a\\u0000b (expected: no NUL character)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("a\0b", "n"))
                .withMessage("namespace: a\\u0000b (expected: no NUL character)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("a\uD83D"))
                .withMessage("name: a\\ud83d (expected: no lone surrogate)");
    }

    @Test
    @SuppressWarnings("NullAway") // Callers are not all checked.
    void nullIsRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> Key.of(null)).withMessage("name");
        assertThatNullPointerException().isThrownBy(() -> Key.of(null, "n")).withMessage("namespace");
    }

    @Test
    void aKeyMayBeWithoutANamespace() {
        assertThat(Key.of("nightly")).isEqualTo(Key.of("", "nightly")).hasToString("nightly");
        assertThat(Key.of("jobs", "nightly"))
                .isEqualTo(new Key("jobs", "nightly"))
                .hasToString("jobs/nightly");
    }

    @Test
    void noTwoKeysLookTheSame() {
        List<String> parts = List.of("a", "b", "a/b", "/a", "a/", "/", "a%2Fb", "%", "a%", "%2F");
        Set<String> seen = new HashSet<>();
        for (String namespace : Stream.concat(Stream.of(""), parts.stream()).toList()) {
            for (String name : parts) {
                Key key = Key.of(namespace, name);
                assertThat(seen.add(key.toString()))
                        .as("%s and %s: %s", namespace, name, key)
                        .isTrue();
            }
        }
        assertThat(Key.of("a/b")).hasToString("/a/b");
        assertThat(Key.of("a", "b")).hasToString("a/b");
        assertThat(Key.of("jobs", "in/orders.csv")).hasToString("jobs/in/orders.csv");
        assertThat(Key.of("jobs/in", "orders.csv")).hasToString("jobs%2Fin/orders.csv");
    }

    @Test
    void namespacesThatBeginWithATildeAreReserved() {
        assertThat(Key.of("~", "n").isReserved()).isTrue();
        assertThat(Key.of("~fleet", "n").isReserved()).isTrue();
        assertThat(Key.of("", "~n").isReserved()).isFalse();
        assertThat(Key.of("jobs~", "n").isReserved()).isFalse();
    }

    @Test
    void theKeyOfAnAnchorIsReservedAndNamedAfterItsHolder() {
        Key anchor = Key.ofAnchor(Holder.of("worker-7"));

        assertThat(anchor).isEqualTo(Key.of("~anchors", "worker-7"));
        assertThat(anchor.isAnchor()).isTrue();
        assertThat(anchor.isReserved()).isTrue();
        assertThat(Key.of("~anchors2", "worker-7").isAnchor()).isFalse();
        assertThat(Key.of("anchors", "worker-7").isAnchor()).isFalse();
    }

    @Test
    void keysAreOrderedByNamespaceThenName() {
        assertThat(Key.of("a", "z")).isLessThan(Key.of("b", "a"));
        assertThat(Key.of("a", "a")).isLessThan(Key.of("a", "b"));
        assertThat(Key.of("a", "a")).isLessThan(Key.of("a", "aa"));
        assertThat(Key.of("z")).isLessThan(Key.of("a", "a"));
        assertThat(Key.of("a", "a")).isEqualByComparingTo(Key.of("a", "a"));
    }

    @Test
    void theSeparatorOfTheTextFormHasNoPartInTheOrder() {
        // As text, a-b/x would come before a/x: '-' is below '/'.
        assertThat(Key.of("a", "x")).isLessThan(Key.of("a-b", "x"));
    }

    @Test
    void supplementaryCharactersComeLast() {
        assertThat(Key.of("\uFFFF")).isLessThan(Key.of("\uD800\uDC00"));
        assertThat("\uFFFF".compareTo("\uD800\uDC00")).as("the order of chars").isPositive();
    }

    @Test
    void theOrderIsThatOfTheUtf8Bytes() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            Key a = Key.of(text(random, 0), text(random, 1));
            Key b = Key.of(text(random, 0), text(random, 1));

            assertThat(Integer.signum(a.compareTo(b))).as("%s, %s", a, b).isEqualTo(byBytes(a, b));
            assertThat(Integer.signum(b.compareTo(a))).isEqualTo(-byBytes(a, b));
        }
    }

    private static String text(Random random, int minLength) {
        return random.ints(minLength + random.nextInt(3), 0, EDGES.length)
                .mapToObj(i -> Character.toString(EDGES[i]))
                .collect(Collectors.joining());
    }

    private static int byBytes(Key a, Key b) {
        int byNamespace = Arrays.compareUnsigned(utf8(a.namespace()), utf8(b.namespace()));
        return Integer.signum(byNamespace != 0 ? byNamespace : Arrays.compareUnsigned(utf8(a.name()), utf8(b.name())));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anchorsOfAGroupLieTogether() {
        Key anchor = Key.ofAnchor(Holder.of("orders/host/7"));

        assertThat(anchor).isEqualTo(Key.of(Key.anchorsOf("orders"), "host/7"));
        assertThat(anchor.isAnchor()).isTrue();
        assertThat(anchor.isReserved()).isTrue();
        assertThat(Key.anchorsOf("orders-eu")).doesNotStartWith(Key.anchorsOf("orders"));
    }

    @Test
    void aGroupThatIsNoneOrTooLongIsPartOfTheName() {
        for (String name : List.of("/a", "a/", "g".repeat(250) + "/a")) {
            assertThat(Key.ofAnchor(Holder.of(name))).isEqualTo(Key.of("~anchors", name));
        }
    }
}
