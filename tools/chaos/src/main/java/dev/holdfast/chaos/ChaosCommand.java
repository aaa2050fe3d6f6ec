package dev.holdfast.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** The command {@code ./holdfast-chaos}. */
public final class ChaosCommand {
    private static final int SEEDS = 1_000_000;

    private ChaosCommand() {}

    public static void main(String[] args) throws Exception {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> arguments) throws Exception {
        if (arguments.contains("--help")) {
            System.out.print(ChaosOptions.HELP);
            return 0;
        }
        ChaosOptions options;
        try {
            Path runs = Path.of(System.getProperty("chaos.runs", "chaos-runs"));
            options = ChaosOptions.parse(arguments, new Random().nextInt(SEEDS), runs);
        } catch (IllegalArgumentException e) {
            System.err.println("holdfast-chaos: " + e.getMessage());
            return 2;
        }
        int exit = 0;
        for (String store : options.stores()) {
            ChaosReport report = new ChaosRun(options, store).run();
            System.out.print(report.text());
            exit = Math.max(exit, exitCode(report));
        }
        System.out.println("histories and reports: " + options.out());
        return exit;
    }

    private static int exitCode(ChaosReport report) {
        if (!report.violations().isEmpty()) {
            return 1;
        }
        return report.mishaps().isEmpty() && report.undecided().isEmpty() ? 0 : 2;
    }
}
