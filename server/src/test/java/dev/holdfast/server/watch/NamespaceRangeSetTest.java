package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.security.NamespaceRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamespaceRangeSetTest {
    private static NamespaceRangeSet prefixes(String... prefixes) {
        return new NamespaceRangeSet(
                Stream.of(prefixes).map(NamespaceRange::startingWith).toList());
    }

    @Test
    void prefixesWithinOthersAreDropped() {
        assertThat(prefixes("b", "ab", "a", "abc").scans(32)).containsExactly("a", "b");
    }

    @Test
    void tooManyPrefixesAreMergedWhereTheyHaveMostInCommon() {
        assertThat(prefixes("t1/a", "t1/b", "t1/c", "t2/a", "x").scans(3)).containsExactly("t1/", "t2/a", "x");
        assertThat(prefixes("a", "b").scans(1)).containsExactly("");
    }

    @Test
    void aMergedPrefixDoesNotEndWithinACharacter() {
        assertThat(prefixes("a\uD83D\uDE00", "a\uD83D\uDE01").scans(1)).containsExactly("a");
    }

    @Test
    void theSetIncludesTheNamespacesOfAllItsRanges() {
        Random random = new Random(1);
        for (int round = 0; round < 2_000; round++) {
            List<NamespaceRange> ranges = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                ranges.add(new NamespaceRange(text(random), random.nextBoolean()));
            }
            NamespaceRangeSet set = new NamespaceRangeSet(ranges);
            String namespace = text(random);
            boolean expected = ranges.stream().anyMatch(range -> range.includes(namespace));

            assertThat(set.includes(namespace)).isEqualTo(expected);
            if (expected) {
                assertThat(set.scans(1 + random.nextInt(6))).anyMatch(namespace::startsWith);
            }
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = 1 + random.nextInt(4); length > 0; length--) {
            text.append((char) ('a' + random.nextInt(3)));
        }
        return text.toString();
    }
}
