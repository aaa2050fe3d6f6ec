package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.process.FakedClocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** The wall clocks of processes, numbered from 1, and the faults that step them. Without libfaketime there are none. */
final class ClientClocks {
    private static final List<Duration> STEPS = List.of(
            Duration.ofHours(1),
            Duration.ofMinutes(-30),
            Duration.ofSeconds(3),
            Duration.ofSeconds(-3),
            Duration.ofDays(30),
            Duration.ofDays(-1));

    private final Optional<FakedClocks> clocks;
    private final List<String> names;

    ClientClocks(Path folder, List<String> names) throws IOException {
        this.clocks = FakedClocks.find(folder);
        this.names = List.copyOf(names);
        if (clocks.isEmpty()) {
            System.err.println(
                    "CLOCK STEPS ARE SKIPPED: libfaketime is not installed (Debian: apt-get install faketime)");
        }
    }

    static List<String> names(int clients) {
        return IntStream.rangeClosed(1, clients)
                .mapToObj(client -> "client " + client)
                .toList();
    }

    Map<String, String> environment(int number) {
        try {
            return clocks.isEmpty() ? Map.of() : clocks.get().environment(number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<ChaosFault> faults() {
        List<ChaosFault> faults = new ArrayList<>();
        clocks.ifPresent(present -> {
            for (int number = 1; number <= names.size(); number++) {
                faults.add(stepOf(present, number));
            }
        });
        return faults;
    }

    private ChaosFault stepOf(FakedClocks present, int number) {
        return new ActionFault(
                "wall clock of " + names.get(number - 1) + " stepped",
                "clock step",
                random -> present.step(number, step(random)),
                () -> present.step(number, Duration.ZERO));
    }

    private static Duration step(Random random) {
        return STEPS.get(random.nextInt(STEPS.size()));
    }
}
