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

/** The wall clocks of the clients, and the faults that step them. Without libfaketime there are none. */
final class ClientClocks {
    private static final List<Duration> STEPS = List.of(
            Duration.ofHours(1),
            Duration.ofMinutes(-30),
            Duration.ofSeconds(3),
            Duration.ofSeconds(-3),
            Duration.ofDays(30),
            Duration.ofDays(-1));

    private final Optional<FakedClocks> clocks;
    private final int clients;

    ClientClocks(Path folder, int clients) throws IOException {
        this.clocks = FakedClocks.find(folder);
        this.clients = clients;
        if (clocks.isEmpty()) {
            System.err.println(
                    "CLOCK STEPS ARE SKIPPED: libfaketime is not installed (Debian: apt-get install faketime)");
        }
    }

    Map<String, String> environment(int client) {
        try {
            return clocks.isEmpty() ? Map.of() : clocks.get().environment(client);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<ChaosFault> faults() {
        List<ChaosFault> faults = new ArrayList<>();
        clocks.ifPresent(present -> {
            for (int client = 1; client <= clients; client++) {
                faults.add(stepOf(present, client));
            }
        });
        return faults;
    }

    private static ChaosFault stepOf(FakedClocks clocks, int client) {
        return new ActionFault(
                "wall clock of client " + client + " stepped",
                "clock step",
                random -> clocks.step(client, step(random)),
                () -> clocks.step(client, Duration.ZERO));
    }

    private static Duration step(Random random) {
        return STEPS.get(random.nextInt(STEPS.size()));
    }
}
