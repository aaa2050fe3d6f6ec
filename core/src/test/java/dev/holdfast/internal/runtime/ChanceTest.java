package dev.holdfast.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChanceTest {
    @Test
    void idsOfAShortLivedProcessAreLikeAllOthers() {
        Set<UUID> drawn = new HashSet<>();
        long bitsSeen = 0;
        long bitsMissing = 0;
        for (int i = 0; i < 500; i++) {
            UUID id = Chance.fewIds();
            assertThat(id.version()).isEqualTo(UUID.randomUUID().version());
            assertThat(id.variant()).isEqualTo(UUID.randomUUID().variant());
            bitsSeen |= id.getMostSignificantBits();
            bitsMissing |= ~id.getMostSignificantBits();
            drawn.add(id);
        }

        assertThat(drawn).hasSize(500);
        // Every bit but the four of the version was drawn as both.
        assertThat(bitsSeen & bitsMissing).isEqualTo(~0xf000L);
    }
}
