package dev.holdfast.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RandomIdsTest {
    @Test
    void anIdIsAUuidOfVersion7() {
        for (UUID id : List.of(RandomIds.id(), RandomIds.oneOfFew())) {
            assertThat(id.version()).isEqualTo(7);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void anIdBeginsWithItsTimeAndAllElseIsRandom() {
        byte[] ones = new byte[10];
        Arrays.fill(ones, (byte) 0xff);

        assertThat(RandomIds.id(0x0123_4567_89abL, new byte[10])).hasToString("01234567-89ab-7000-8000-000000000000");
        assertThat(RandomIds.id(0x0123_4567_89abL, ones)).hasToString("01234567-89ab-7fff-bfff-ffffffffffff");
    }

    @Test
    void noTwoAreEqual() {
        Set<UUID> drawn = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            drawn.add(RandomIds.id());
        }
        for (int i = 0; i < 1_000; i++) {
            drawn.add(RandomIds.oneOfFew());
        }

        assertThat(drawn).hasSize(101_000);
    }
}
