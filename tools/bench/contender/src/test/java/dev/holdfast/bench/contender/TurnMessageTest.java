package dev.holdfast.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TurnMessageTest {
    @Test
    void aMessageSurvivesItsLine() {
        TurnMessage message =
                TurnMessage.of("pairs").with("reason", "a = b, c\nd").with("callers", 16);

        TurnMessage copy = TurnMessage.parse(message.toString());

        assertThat(message.toString()).doesNotContain("\n");
        assertThat(copy).isEqualTo(message);
        assertThat(copy.number("callers")).isEqualTo(16);
    }

    @Test
    void aMissingValueIsNamed() {
        assertThatThrownBy(() -> TurnMessage.of("hot").number("callers")).hasMessageContaining("callers");
    }
}
