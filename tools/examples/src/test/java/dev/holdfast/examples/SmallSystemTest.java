package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallSystemTest {
    @Test
    void theWorkersShareWhatThereIsWhateverHappens() {
        List<String> said = new ArrayList<>();

        try (SmallSystem system = new SmallSystem(said::add)) {
            system.run();
        }

        assertThat(said)
                .containsExactly(
                        "ann and bob share what there is: {ann=6, bob=6}",
                        "cid came: {ann=4, bob=4, cid=4}",
                        "bob left, and handed all over: {ann=6, cid=6}",
                        "cid hears nothing from the store: {ann=12, cid=0}",
                        "cid is back: {ann=6, cid=6}");
    }
}
