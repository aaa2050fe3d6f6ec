package dev.holdfast.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntryScanTest {
    private static final String HIGHEST = Character.toString(Character.MAX_CODE_POINT);

    @Test
    void theEndOfAPrefixIsTheNextTextWithoutIt() {
        assertThat(end("a")).isEqualTo("b");
        assertThat(end("a/")).isEqualTo("a0");
        assertThat(end("a\uD7FF")).isEqualTo("a\uE000");
        assertThat(end("a\uFFFF")).isEqualTo("a\uD800\uDC00");
        assertThat(end("a\uD83D\uDE80")).isEqualTo("a\uD83D\uDE81");
        assertThat(end("a" + HIGHEST + HIGHEST)).isEqualTo("b");
        assertThat(end(HIGHEST)).isNull();
        assertThat(end("")).isNull();
    }

    private static @Nullable String end(String prefix) {
        return EntryScan.of(prefix, 1).prefixEnd();
    }
}
