package dev.holdfast.cli.command.admin;

import dev.holdfast.Key;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.bench.LoadStep;
import dev.holdfast.cli.bench.LoadTest;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.WholeNumber;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** {@code bench}: a short load test on the selected store. */
public final class BenchCommand extends CliCommand {
    private static final int CLEANED_AT_ONCE = 500;

    private final CliOption<String> load = CliOption.choice(
            spec(),
            List.of("once", "lock"),
            "The cycle to repeat. once: acquire a new key, mark it as done. lock: acquire, release. Default: once.",
            "--load");
    private final CliOption<Integer> callers =
            number("Number of concurrent callers. Default: 64.", "--callers", 10_000);
    private final CliOption<Integer> seconds = number("Duration of the test. Default: 10.", "--seconds", 3_600);
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public BenchCommand() {
        super("bench", "", "Run a short load test on the store: cycles per second and latency.");
        describe(
                "Uses a namespace of its own, holdfast-bench-..., and deletes its keys afterwards. A deleted key leaves an"
                        + " empty entry with its fence, which is cleaned up a week later.");
        examples("holdfast bench --store postgresql://app@db/app --callers 16 --seconds 5 --json");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    private CliOption<Integer> number(String description, String name, int most) {
        return WholeNumber.option(spec(), most, description, name);
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        LoadStep kind = LoadStep.valueOf(load.or("once").toUpperCase(Locale.ROOT));
        Duration time = Duration.ofSeconds(seconds.or(10));
        try (Leases leases = commandContext.openToHold()) {
            String namespace = "holdfast-bench-" + LeaseService.of(leases).environment().randomId();
            try {
                print(commandContext, measure(commandContext, leases, kind, namespace, time));
            } finally {
                cleanUp(commandContext, leases, namespace);
            }
        }
        return ExitCode.OK;
    }

    private LoadTest.Result measure(
            CommandContext commandContext, Leases leases, LoadStep kind, String namespace, Duration time)
            throws InterruptedException {
        long start = LeaseService.of(leases).environment().nanos();
        try (ProgressLine line = new ProgressLine(commandContext.console())) {
            return new LoadTest(leases, kind, namespace).run(callers.or(64), time, cycles -> {
                double spent = (LeaseService.of(leases).environment().nanos() - start) / 1e9;
                line.show(Math.round(spent) + "s of " + time.toSeconds() + "s, "
                        + Math.round(cycles / Math.max(spent, 0.001)) + " cycles/s");
            });
        }
    }

    private void print(CommandContext commandContext, LoadTest.Result result) {
        if (json.or(false)) {
            JsonWriter out = new JsonWriter().beginObject();
            out.field("load", load.or("once"))
                    .field("callers", callers.or(64))
                    .field("cycles", result.cycles())
                    .name("cyclesPerSecond")
                    .literal(Math.round(result.cyclesPerSecond() * 10) / 10.0);
            out.field("p50Micros", result.p50Micros()).field("p99Micros", result.p99Micros());
            commandContext.console().out().println(out.endObject());
        } else {
            commandContext
                    .console()
                    .out()
                    .println(Math.round(result.cyclesPerSecond()) + " cycles/s, p50 " + millis(result.p50Micros())
                            + ", p99 " + millis(result.p99Micros()));
        }
    }

    private static String millis(long micros) {
        return micros < 10_000 ? micros + " us" : micros / 1_000 + " ms";
    }

    private static void cleanUp(CommandContext commandContext, Leases leases, String namespace) {
        try (ProgressLine line = new ProgressLine(commandContext.console());
                Stream<Key> keys =
                        leases.list(LeaseFilter.namespacePrefix(namespace)).map(status -> status.key())) {
            line.show("deleting the test keys");
            List<CompletableFuture<?>> deletions = new ArrayList<>();
            keys.forEach(key -> {
                deletions.add(leases.async().delete(key, null).toCompletableFuture());
                if (deletions.size() == CLEANED_AT_ONCE) {
                    join(deletions);
                }
            });
            join(deletions);
        }
    }

    private static void join(List<CompletableFuture<?>> deletions) {
        CompletableFuture.allOf(deletions.toArray(new CompletableFuture<?>[0])).join();
        deletions.clear();
    }
}
