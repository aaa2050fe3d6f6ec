package dev.holdfast.sim.replay;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.check.InvariantCheckers.InvariantViolation;
import dev.holdfast.sim.replay.RecordedStep.StepKind;
import dev.holdfast.sim.scenario.SimulationScenario;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A run that was recorded.
 *
 * @param blamed the keys that the violation names; empty if there is none
 */
record ReplayRun(ReplayTitle title, RunLog log, Outcome outcome, List<String> blamed) {
    /** Runs a seed and records it. */
    static ReplayRun of(ReplayTitle title, SimulationScenario scenario, SimulatedVariant variant, ReplayWindow window) {
        RunLog log = new RunLog(window);
        EventWords words = new EventWords();
        TermRecorder terms = new TermRecorder(log);
        Outcome outcome = Simulation.run(
                title.seed(),
                scenario,
                variant,
                new WorldRecorder(log, words, terms),
                new EventRecorder(log, words, terms));
        InvariantViolation violation = outcome.violation();
        if (violation == null) {
            return new ReplayRun(title, log, outcome, List.of());
        }
        log.end(violation.atNanos());
        List<String> blamed = blamed(log, violation.details());
        terms.markClashes(blamed);
        String caption = "A checker finds a violation: " + violation.details() + ".";
        log.step(RunLog.STORE, StepKind.VIOLATION, blamed, caption);
        return new ReplayRun(title, log, outcome, blamed);
    }

    private static List<String> blamed(RunLog log, String details) {
        TreeSet<String> keys = new TreeSet<>();
        Stream.concat(log.terms().stream(), log.stored().stream())
                .map(span -> span.subject)
                .distinct()
                .filter(key -> names(details, key))
                .forEach(keys::add);
        return List.copyOf(keys);
    }

    /** Whether a text names a key, also by its last part; "key-1" is not in "key-10". */
    private static boolean names(String details, String key) {
        String last = key.substring(key.lastIndexOf('/') + 1);
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(last) + "(?![\\w-])")
                .matcher(details)
                .find();
    }
}
