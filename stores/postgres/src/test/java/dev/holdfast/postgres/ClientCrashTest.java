package dev.holdfast.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.store.StoredEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kills a client, as by kill -9, in the middle of its batches: all acknowledged writes are in the store. */
@Tag("slow")
class ClientCrashTest {
    private final Random random = new Random(20);

    @Test
    void writesAcknowledgedToAKilledClientAreStored() throws Exception {
        String url = Server.shared().url(Server.freshSchema());
        try (PostgresStore store = PostgresStore.open(url)) {
            for (int round = 0; round < Rounds.of(20); round++) {
                List<String> acknowledged = runAndKill(url, "round-" + round);

                assertThat(acknowledged).hasSizeGreaterThan(10);
                acknowledged.forEach(line -> assertStored(store, line));
            }
        }
    }

    /** Runs a process for a moment; returns its output before it was killed. */
    private List<String> runAndKill(String url, String namespace) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashClient.class.getName(),
                        url,
                        namespace)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> acknowledged = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            int enough = 20 + random.nextInt(400);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                acknowledged.add(namespace + " " + line);
                if (acknowledged.size() == enough) {
                    process.toHandle().destroyForcibly(); // Process#destroyForcibly would also drop its output.
                }
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("killed, not ended by itself").isEqualTo(128 + 9);
        // The last line may have been cut short.
        return acknowledged.subList(0, acknowledged.size() - 1);
    }

    private static void assertStored(PostgresStore store, String line) {
        String[] words = line.split(" ", -1);
        StoredEntry stored =
                store.read(List.of(Key.of(words[0], words[2]))).get(0).orElseThrow();
        assertThat(stored.entry().fence().value()).as(line).isEqualTo(Long.parseLong(words[3]));
        assertThat(stored.entry().state()).as(line).isNotEqualTo(LeaseState.FREE);
        if (words[1].equals("done")) {
            assertThat(stored.entry().state()).as(line).isEqualTo(LeaseState.DONE);
        }
    }
}
