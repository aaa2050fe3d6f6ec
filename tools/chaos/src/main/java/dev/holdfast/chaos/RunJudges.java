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

/** The judges of a run: they read its files, and share no code with the library. */
final class RunJudges {
    private RunJudges() {}

    /** Adds the verdicts on {@code history.txt} and {@code witness.txt} to a report. */
    static ChaosReport judge(ChaosReport report, Path folder, boolean guarded) throws IOException {
        ChaosHistory history = ChaosHistory.read(folder.resolve("history.txt"));
        WitnessLog witness = WitnessLog.read(folder.resolve("witness.txt"));
        JudgeReport linearizability = LinearizabilityJudge.judge(history);
        List<ChaosViolation> violations = new ArrayList<>(report.violations());
        violations.addAll(violations("linearizability", linearizability));
        violations.addAll(violations("witness", WitnessJudge.judge(history, witness, guarded)));
        return report.judged(linearizability.keys(), linearizability.undecidedKeys(), violations);
    }

    private static List<ChaosViolation> violations(String judge, JudgeReport verdict) {
        return verdict.violations().stream()
                .map(found -> new ChaosViolation(judge, found.key(), found.rule(), found.lines()))
                .toList();
    }
}
