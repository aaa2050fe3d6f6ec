package dev.holdfast.server.accord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.proto.accord.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandleSpoolTest {
    @Test
    void whatWasCreatedLastComesFirstHoweverItCame() throws Exception {
        Random dice = new Random(7);
        List<String> read = new ArrayList<>();
        try (HandleSpool spool = new HandleSpool()) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, 2_000).boxed().toList());
            java.util.Collections.shuffle(order, dice);
            for (int created : order) {
                String metadata = "x".repeat(dice.nextInt(100));
                spool.add(
                        created,
                        Handle.newBuilder()
                                .setName("n" + created)
                                .putMetadata("m", metadata)
                                .build());
            }
            spool.read(500, handle -> {
                read.add(handle.getName());
                return read.size() < 1_000;
            });
        }

        assertThat(read)
                .containsExactlyElementsOf(IntStream.range(0, 1_000)
                        .mapToObj(i -> "n" + (1_999 - 500 - i))
                        .toList());
    }
}
