package dev.holdfast.chaos;

import dev.holdfast.judges.ChaosHistory;
import dev.holdfast.judges.JudgeReport;
import dev.holdfast.judges.LinearizabilityJudge;
import dev.holdfast.judges.WitnessJudge;
import dev.holdfast.judges.WitnessLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The judges of a run: they read its files, and share no code with the library. */
final class RunJudges {
    /** The search for an order of calls may take very long. A run that it cannot decide has not passed. */
    private static final int SEARCH_SECONDS_MAX = 300;

    private RunJudges() {}

    /** Adds the verdicts on {@code history.txt} and {@code witness.txt} to a report. */
    static ChaosReport judge(ChaosReport report, Path folder, boolean guarded)
            throws IOException, InterruptedException {
        ChaosHistory history = ChaosHistory.read(folder.resolve("history.txt"));
        WitnessLog witness = WitnessLog.read(folder.resolve("witness.txt"));
        List<ChaosViolation> violations = new ArrayList<>(report.violations());
        violations.addAll(violations("witness", WitnessJudge.judge(history, witness, guarded)));
        JudgeReport linearizability = search(history);
        violations.addAll(violations("linearizability", linearizability));
        return report.judged(linearizability.keys(), linearizability.undecidedKeys(), violations);
    }

    private static JudgeReport search(ChaosHistory history) throws InterruptedException {
        CompletableFuture<JudgeReport> verdict = new CompletableFuture<>();
        Thread search = new Thread(
                () -> {
                    try {
                        verdict.complete(LinearizabilityJudge.judge(history));
                    } catch (RuntimeException | OutOfMemoryError e) {
                        verdict.completeExceptionally(e);
                    }
                },
                "chaos-judge");
        search.setDaemon(true);
        search.start();
        try {
            return verdict.get(SEARCH_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return undecided("all keys: the search took more than " + SEARCH_SECONDS_MAX + " s");
        } catch (ExecutionException e) {
            return undecided("all keys: " + e.getCause());
        }
    }

    private static JudgeReport undecided(String reason) {
        return new JudgeReport(0, 0, 0, 0, List.of(reason), List.of());
    }

    private static List<ChaosViolation> violations(String judge, JudgeReport verdict) {
        return verdict.violations().stream()
                .map(found -> new ChaosViolation(judge, found.key(), found.rule(), found.lines()))
                .toList();
    }
}
