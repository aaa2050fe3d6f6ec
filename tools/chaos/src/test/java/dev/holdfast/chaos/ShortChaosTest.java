package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.bug.ClientBug;
import dev.holdfast.judges.WitnessLine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs of real processes on SQLite. They run at the same time, as most of their time is waiting. */
class ShortChaosTest {
    private static final int CALLS = 150;
    private static final int TERM_MILLIS = 500;
    private static final String STOP_IN_WRITE = FaultSchedule.STOP + " in a write";

    @TempDir
    static Path folder;

    private static final ExecutorService threads = Executors.newFixedThreadPool(3);
    private static CompletableFuture<ChaosReport> guarded;
    private static CompletableFuture<ChaosReport> unguarded;
    private static CompletableFuture<ChaosReport> repeatedFence;

    @BeforeAll
    static void startAll() {
        guarded = start(3, true, ClientBug.NONE, (calls, faults, resource) -> calls >= CALLS && hasAll(faults));
        unguarded =
                start(3, false, ClientBug.NONE, (calls, faults, resource) -> hasLostUpdate(resource.witnessLines()));
        repeatedFence = start(2, true, ClientBug.REPEATED_FENCE, (calls, faults, resource) -> calls >= CALLS);
    }

    @AfterAll
    static void stopAll() {
        threads.shutdownNow();
    }

    private static CompletableFuture<ChaosReport> start(int clients, boolean guarded, ClientBug bug, RunGoal goal) {
        String label = bug == ClientBug.NONE ? "" : bug.label();
        Path out = folder.resolve(label + guarded);
        ChaosOptions options = new ChaosOptions(List.of("sqlite"), 3, clients, 1, TERM_MILLIS, guarded, label, out);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new ChaosRun(options, "sqlite").run(goal);
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    private static boolean hasAll(Map<String, Integer> faults) {
        return faults.containsKey("SIGKILL") && faults.containsKey(STOP_IN_WRITE);
    }

    /** Whether a write began from a value that was not the last one. */
    private static boolean hasLostUpdate(List<String> witness) {
        Map<String, String> last = new HashMap<>();
        return witness.stream()
                .map(WitnessLine::parse)
                .filter(line -> line.kind() == WitnessLine.Kind.WRITE)
                .anyMatch(line -> {
                    String before = last.put(line.key(), line.after());
                    return before != null && !before.equals(line.before());
                });
    }

    @Test
    void killedAndStoppedClientsBreakNoPromise() {
        ChaosReport report = guarded.join();
        assertThat(report.violations()).as(report.text()).isEmpty();
        assertThat(report.mishaps()).isEmpty();
        assertThat(report.calls()).isGreaterThanOrEqualTo(CALLS);
        assertThat(report.faults()).containsKeys("SIGKILL", STOP_IN_WRITE);
    }

    @Test
    void withoutAGuardStoppedClientsLoseUpdates() {
        assertThat(unguarded.join().violations())
                .anyMatch(violation ->
                        violation.judge().equals("witness") && violation.rule().contains("lost update"));
    }

    @Test
    void theJudgesFindAPlantedBug() {
        assertThat(repeatedFence.join().violations())
                .anyMatch(violation -> violation.rule().contains("fence"));
    }
}
