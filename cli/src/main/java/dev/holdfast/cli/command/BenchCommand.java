package dev.holdfast.cli.command;

import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.bench.Load;
import dev.holdfast.cli.bench.LoadTest;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.option.Whole;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.model.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A short load test on the given store. */
public final class BenchCommand extends Command {
    private static final int CLEANED_AT_ONCE = 500;

    private final Option<String> load = Option.choice(
            spec(),
            List.of("once", "lock"),
            "acquire a new key -> done (unless said), or acquire -> release.",
            "--load");
    private final Option<Integer> callers = number("How many callers at once; 64 unless said.", "--callers", 10_000);
    private final Option<Integer> seconds = number("For how long; 10 unless said.", "--seconds", 3_600);
    private final Option<Boolean> json = Names.json(spec());

    public BenchCommand() {
        super("bench", "", "A short load test on the store: cycles per second, and how long one takes.");
        describe(
                "Works in a namespace of its own, holdfast-bench-..., and deletes its keys afterwards. What a deleted key"
                        + " leaves, an empty entry with its fence, is there until a clean-up a week later.");
        examples("holdfast bench --store postgresql://app@db/app --callers 16 --seconds 5 --json");
        onDynamo("GetItem", "BatchGetItem", "PutItem", "UpdateItem");
    }

    private Option<Integer> number(String description, String name, int most) {
        return Whole.option(spec(), most, description, name);
    }

    @Override
    public int run(Context context) throws InterruptedException {
        Load kind = Load.valueOf(load.or("once").toUpperCase(Locale.ROOT));
        Duration time = Duration.ofSeconds(seconds.or(10));
        try (Leases leases = context.openToHold()) {
            String namespace = "holdfast-bench-" + leases.runtime().randomId();
            try {
                print(context, measure(context, leases, kind, namespace, time));
            } finally {
                cleanUp(context, leases, namespace);
            }
        }
        return ExitCode.OK;
    }

    private LoadTest.Result measure(Context context, Leases leases, Load kind, String namespace, Duration time)
            throws InterruptedException {
        long start = leases.runtime().nanos();
        try (ProgressLine line = new ProgressLine(context.console())) {
            return new LoadTest(leases, kind, namespace).run(callers.or(64), time, cycles -> {
                double spent = (leases.runtime().nanos() - start) / 1e9;
                line.show(Math.round(spent) + "s of " + time.toSeconds() + "s, "
                        + Math.round(cycles / Math.max(spent, 0.001)) + " cycles/s");
            });
        }
    }

    private void print(Context context, LoadTest.Result result) {
        if (json.or(false)) {
            Json out = new Json().beginObject();
            out.field("load", load.or("once"))
                    .field("callers", callers.or(64))
                    .field("cycles", result.cycles())
                    .name("cyclesPerSecond")
                    .literal(Math.round(result.cyclesPerSecond() * 10) / 10.0);
            out.field("p50Micros", result.p50Micros()).field("p99Micros", result.p99Micros());
            context.console().out().println(out.endObject());
        } else {
            context.console()
                    .out()
                    .println(Math.round(result.cyclesPerSecond()) + " cycles/s, p50 " + millis(result.p50Micros())
                            + ", p99 " + millis(result.p99Micros()));
        }
    }

    private static String millis(long micros) {
        return micros < 10_000 ? micros + " us" : micros / 1_000 + " ms";
    }

    private static void cleanUp(Context context, Leases leases, String namespace) {
        try (ProgressLine line = new ProgressLine(context.console());
                Stream<Key> keys =
                        leases.list(LeaseFilter.namespacePrefix(namespace)).map(status -> status.key())) {
            line.show("deleting the keys of the test");
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
