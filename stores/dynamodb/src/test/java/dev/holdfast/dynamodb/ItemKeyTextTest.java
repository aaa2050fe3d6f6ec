package dev.holdfast.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Key;
import dev.holdfast.store.SizeLimits;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ItemKeyTextTest {
    private static final List<String> PARTS =
            List.of("", "a", "/", "a/", "/a", "%", "%2F", "%25", "%252F", "a%/b", "\uD83D\uDE80");

    @Test
    void keysHaveDistinctTextsThatAreParsedBack() {
        Set<String> texts = new HashSet<>();
        for (String namespace : PARTS) {
            for (String name : PARTS) {
                if (!name.isEmpty()) {
                    Key key = Key.of(namespace, name);
                    assertThat(texts.add(ItemKeyText.of(key)))
                            .as(key.toString())
                            .isTrue();
                    assertThat(ItemKeyText.parse(ItemKeyText.of(key))).isEqualTo(key);
                }
            }
        }
    }

    @Test
    void theLongestKeyFitsAPartitionKey() {
        Key longest = Key.of("/".repeat(SizeLimits.NAMESPACE_BYTES), "x".repeat(SizeLimits.NAME_BYTES));

        assertThat(ItemKeyText.of(longest).getBytes(UTF_8)).hasSizeLessThanOrEqualTo(2048);
    }

    @Test
    void aTextThatIsNoKeyIsRejected() {
        for (String text : List.of("", "a", "a/", "%2G/a", "%2f/a", "a%/b")) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> ItemKeyText.parse(text));
        }
    }
}
