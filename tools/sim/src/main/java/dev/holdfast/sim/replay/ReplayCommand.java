package dev.holdfast.sim.replay;

import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.Simulation.Outcome;
import dev.holdfast.sim.replay.RunCatalog.CatalogBug;
import dev.holdfast.sim.scenario.SimulationScenario;
import dev.holdfast.sim.world.EventTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The program behind {@code ./holdfast-sim}. */
public final class ReplayCommand {
    private static final String USAGE = """
            Usage:
              ./holdfast-sim list
              ./holdfast-sim run [--scenario NAME] [--bug NAME] [--seeds N] [--first SEED]
              ./holdfast-sim replay [--scenario NAME] [--bug NAME] [--seed N] [--from SECONDS] [--to SECONDS] [--html FILE]

            "run" runs seeds and prints each one that violates an invariant. "replay" runs one seed and writes a page that
            shows it step by step. The usual scenario is LongPause or, with a bug, the scenario that catches it. The usual
            seed is 1 or, with a bug, the first one that catches it.
            """;

    private static final String USUAL_SCENARIO = "LongPause";
    private static final long SEEDS = 100;
    /** Every planted bug is caught by a seed below. */
    private static final long SEARCHED_MAX = 2000;

    private ReplayCommand() {}

    public static void main(String[] arguments) throws IOException {
        int status;
        try {
            status = run(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("holdfast-sim: " + e.getMessage());
            status = 2;
        }
        System.exit(status);
    }

    private static int run(String[] arguments) throws IOException {
        String command = arguments.length == 0 ? "" : arguments[0];
        return switch (command) {
            case "list" -> list();
            case "run" -> runSeeds(options(arguments, "--seeds", "--first"));
            case "replay" -> replay(options(arguments, "--seed", "--from", "--to", "--html"));
            default -> {
                System.err.print(USAGE);
                yield command.equals("--help") || command.equals("help") ? 0 : 2;
            }
        };
    }

    private static CommandOptions options(String[] arguments, String... more) {
        Set<String> known = new LinkedHashSet<>(List.of("--scenario", "--bug"));
        known.addAll(List.of(more));
        return new CommandOptions(arguments, known);
    }

    private static int list() {
        System.out.println("Scenarios:");
        RunCatalog.scenarios().forEach(scenario -> System.out.println("  " + scenario.name()));
        System.out.println("Bugs, each with the scenario that catches it:");
        RunCatalog.bugs().forEach(bug -> System.out.println("  " + bug.name() + " (" + bug.scenario() + ")"));
        return 0;
    }

    /** The code to run, and the scenario to run it in. */
    private record RunChoice(
            SimulationScenario scenario,
            SimulatedVariant variant,
            @Nullable String bug) {
        static RunChoice of(CommandOptions options) {
            String named = options.text("--bug");
            CatalogBug bug = named == null ? null : RunCatalog.bug(named);
            String usual = bug == null ? USUAL_SCENARIO : bug.scenario();
            SimulationScenario scenario = RunCatalog.scenario(options.text("--scenario", usual));
            return new RunChoice(scenario, bug == null ? SimulatedVariant.REAL : bug.variant(), named);
        }

        Outcome run(long seed) {
            return Simulation.run(seed, scenario, variant);
        }

        long usualSeed() {
            return bug == null
                    ? 1
                    : LongStream.rangeClosed(1, SEARCHED_MAX)
                            .filter(seed -> run(seed).violation() != null)
                            .findFirst()
                            .orElse(1);
        }
    }

    private static int runSeeds(CommandOptions options) {
        RunChoice choice = RunChoice.of(options);
        Long first = options.number("--first");
        Long given = options.number("--seeds");
        long from = first == null ? 1 : first;
        long seeds = given == null ? SEEDS : given;
        EventTally total = new EventTally();
        long violations = 0;
        for (long seed = from; seed < from + seeds; seed++) {
            Outcome outcome = choice.run(seed);
            total.add(outcome.tally());
            if (outcome.violation() != null) {
                violations++;
                System.out.println("seed " + seed + " " + outcome.violation());
            }
        }
        System.out.println("sim: scenario=" + choice.scenario.name() + " seeds=" + seeds + " " + total + " violations="
                + violations);
        return violations == 0 ? 0 : 1;
    }

    private static int replay(CommandOptions options) throws IOException {
        RunChoice choice = RunChoice.of(options);
        Long given = options.number("--seed");
        ReplayWindow window = new ReplayWindow(options.nanos("--from"), options.nanos("--to"));
        ReplayTitle title =
                new ReplayTitle(choice.scenario.name(), given == null ? choice.usualSeed() : given, choice.bug);
        ReplayRun run = ReplayRun.of(title, choice.scenario, choice.variant, window);
        Path file = Path.of(options.text("--html", "replay.html"));
        Files.writeString(file, ReplayPage.of(run));
        System.out.println(title.text() + ": "
                + (run.outcome().violation() == null
                        ? "no violation"
                        : run.outcome().violation().toString()));
        System.out.println("The page is in " + file);
        return 0;
    }
}
