package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanCursorTest {
    @Test
    void partsAreKept() {
        ScanCursor cursor = ScanCursor.parse(ScanCursor.format("id", "", "a/b \uD83D\uDE80", "-42"), 4);

        assertThat(cursor.part(0)).isEqualTo("id");
        assertThat(cursor.part(1)).isEmpty();
        assertThat(cursor.part(2)).isEqualTo("a/b \uD83D\uDE80");
        assertThat(cursor.number(3)).isEqualTo(-42);
        assertThatIllegalArgumentException().isThrownBy(() -> cursor.number(0)).withMessageStartingWith("cursor: ");
    }

    @Test
    void aKeyIsKept() {
        for (Key key : new Key[] {Key.of("", "a"), Key.of("b/c", "d\u00e9 \uFFFF")}) {
            assertThat(ScanCursor.parseKey(ScanCursor.after(key))).isEqualTo(key);
        }
    }

    /** Clients may keep a cursor while a server is updated. */
    @Test
    void theFormatStaysTheSame() {
        assertThat(ScanCursor.after(Key.of("ns", "name"))).isEqualTo("bnMAbmFtZQ");
        assertThat(ScanCursor.format("key", "ns", "name")).isEqualTo("a2V5AG5zAG5hbWU");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "!", "YQ", "AA", "YQBi\n", "YQBiAGM", "ns\0name"})
    void anInventedCursorIsRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanCursor.parseKey(text))
                .withMessageStartingWith("cursor: ")
                .withMessageEndingWith(" (expected: the cursor of the previous page)");
    }
}
