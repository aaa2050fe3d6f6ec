package dev.holdfast.cli.bench;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.ProgressLine;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** {@code bench}: a short load test on the selected store. */
public final class BenchCommand extends CliCommand {
    private final CommandOption<String> load = CommandOption.choice(
            spec(),
            List.of("once", "lock"),
            "The cycle to repeat. once: acquire a new key, mark it as done. lock: acquire, release. Default: once.",
            "--load");
    private final CommandOption<Integer> callers =
            CommandOption.number(spec(), 1, 10_000, "Number of concurrent callers. Default: 64.", "--callers");
    private final CommandOption<Integer> seconds =
            CommandOption.number(spec(), 1, 3_600, "Duration of the test. Default: 10.", "--seconds");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public BenchCommand() {
        super("bench", "", "Run a short load test on the store: cycles per second and latency.");
        describe(
                "Uses a namespace of its own, holdfast-bench-..., and deletes its keys afterwards. A deleted key leaves an"
                        + " empty entry with its fence, which is cleaned up a week later.");
        examples("holdfast bench --store postgresql://app@db/app --callers 16 --seconds 5 --json");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        LoadTestCycle kind = LoadTestCycle.valueOf(load.or("once").toUpperCase(Locale.ROOT));
        Duration time = Duration.ofSeconds(seconds.or(10));
        try (Leases leases = context.openToHold()) {
            StoreLoadTest test = new StoreLoadTest(leases, kind);
            try {
                print(context, measure(context, test, time));
            } finally {
                try (ProgressLine line = new ProgressLine(context.console())) {
                    line.show("deleting the test keys");
                    test.deleteKeys();
                }
            }
        }
        return ExitCode.OK;
    }

    private StoreLoadTest.Result measure(CommandContext context, StoreLoadTest test, Duration time)
            throws InterruptedException {
        long start = System.nanoTime();
        try (ProgressLine line = new ProgressLine(context.console())) {
            return test.run(callers.or(64), time, cycles -> {
                double spent = (System.nanoTime() - start) / 1e9;
                line.show(Math.round(spent) + "s of " + time.toSeconds() + "s, "
                        + Math.round(cycles / Math.max(spent, 0.001)) + " cycles/s");
            });
        }
    }

    private void print(CommandContext context, StoreLoadTest.Result result) {
        if (json.or(false)) {
            context.console()
                    .print(new JsonWriter()
                            .beginObject()
                            .field("load", load.or("once"))
                            .field("callers", callers.or(64))
                            .field("cycles", result.cycles())
                            .name("cyclesPerSecond")
                            .literal(Math.round(result.cyclesPerSecond() * 10) / 10.0)
                            .field("p50Micros", result.p50Micros())
                            .field("p99Micros", result.p99Micros())
                            .endObject());
        } else {
            context.console()
                    .print(Math.round(result.cyclesPerSecond()) + " cycles/s, p50 " + millis(result.p50Micros())
                            + ", p99 " + millis(result.p99Micros()));
        }
    }

    private static String millis(long micros) {
        return micros < 10_000 ? micros + " us" : micros / 1_000 + " ms";
    }
}
