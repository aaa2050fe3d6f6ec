package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallSystemTest {
    @Test
    void theWorkersShareTheUnitsAfterEveryChange() {
        List<String> lines = new ArrayList<>();

        try (SmallSystem system = new SmallSystem(lines::add)) {
            system.run();
        }

        assertThat(lines)
                .containsExactly(
                        "ann and bob share the units: {ann=6, bob=6}",
                        "cid joined: {ann=4, bob=4, cid=4}",
                        "bob left and handed over all units: {ann=6, cid=6}",
                        "cid lost its connection to the store: {ann=12, cid=0}",
                        "cid is back: {ann=6, cid=6}");
    }
}
