package dev.holdfast.sqlite.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Run with {@code -Dholdfast.crash.rounds=200} for a longer test. */
@Tag("slow")
class CrashTest {
    private static final int KILLS = Integer.getInteger("holdfast.crash.rounds", 20);
    private static final int WORKERS = 4;
    private static final long LONGEST_LIFE_NANOS = Duration.ofMillis(250).toNanos();

    private final Random random = new Random();
    private final Map<Key, Fence> granted = new HashMap<>();
    private final Set<Key> done = new HashSet<>();

    @TempDir
    private Path folder;

    @Test
    void acknowledgedWritesSurviveAnyNumberOfKills() throws IOException {
        long startNanos = System.nanoTime();
        String url = "sqlite:" + folder.resolve("leases.db");
        for (int killed = 0; killed < KILLS; killed += WORKERS) {
            runAndKill(url, killed);
            check(url);
        }
        System.out.printf(
                "crash: %d kills, %d grants and %d dones acknowledged and found, %.1f s%n",
                KILLS, granted.size(), done.size(), (System.nanoTime() - startNanos) / 1e9);
        assertThat(done).hasSizeGreaterThan(KILLS);
    }

    /**
     * Runs several workers at a time, because one may die while another writes, and starting them takes most of the
     * time.
     */
    private void runAndKill(String url, int number) throws IOException {
        List<Child> workers = new ArrayList<>();
        try {
            for (int i = 0; i < WORKERS; i++) {
                workers.add(Child.start(CrashingWorker.class, folder, url, number + i));
            }
            List<String> lines = new ArrayList<>();
            for (Child worker : workers) {
                lines.add(worker.line());
                long lifeNanos = (long) (random.nextDouble() * LONGEST_LIFE_NANOS);
                CompletableFuture.delayedExecutor(lifeNanos, TimeUnit.NANOSECONDS)
                        .execute(worker::kill);
            }
            for (Child worker : workers) {
                lines.addAll(worker.rest());
            }
            lines.forEach(this::note);
        } finally {
            workers.forEach(Child::close);
        }
    }

    private void note(String line) {
        String[] words = line.split(" ");
        assertThat(words).as(line).hasSize(4);
        Key key = Key.of(words[1], words[2]);
        if (words[0].equals("done")) {
            done.add(key);
        } else {
            assertThat(words[0]).as(line).isEqualTo("granted");
            granted.merge(key, Fence.of(Long.parseLong(words[3])), (a, b) -> a.isAbove(b) ? a : b);
        }
    }

    /** Checks all rounds each time: a crash must not damage the entries of earlier rounds. */
    private void check(String url) {
        Map<Key, LeaseStatus> found = new HashMap<>();
        try (Leases leases = Holdfast.open(url);
                Stream<LeaseStatus> all = leases.list(LeaseFilter.all())) {
            all.forEach(status -> found.put(status.key(), status));
        }
        granted.forEach((key, fence) ->
                assertThat(present(found, key).fence()).as("fence of %s", key).isGreaterThanOrEqualTo(fence));
        done.forEach(
                key -> assertThat(present(found, key).state()).as("%s", key).isEqualTo(LeaseState.DONE));
    }

    private static LeaseStatus present(Map<Key, LeaseStatus> found, Key key) {
        return Objects.requireNonNull(found.get(key), () -> key + " is gone");
    }
}
