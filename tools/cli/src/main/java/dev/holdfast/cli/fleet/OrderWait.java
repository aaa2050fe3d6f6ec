package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** The options {@code --wait} and {@code --timeout} of an order, and the wait until the fleet has followed it. */
final class OrderWait {
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final CommandOption<Boolean> wait;
    private final CommandOption<Duration> timeout;

    OrderWait(CommandSpec spec, String until) {
        this.wait = CommandOption.flag(spec, "Wait " + until + ".", "--wait");
        this.timeout = CommandOption.duration(
                spec,
                "TIME",
                "Wait for this long at most, then exit with 3. The order stays in force. Default: no limit.",
                "--timeout");
    }

    /**
     * Waits, if requested, until {@code left} returns an empty text. Each new text is printed as progress.
     *
     * @return the exit code
     */
    int run(CommandContext context, Leases leases, Supplier<String> left) throws InterruptedException {
        if (!wait.or(false) && !timeout.isGiven()) {
            return ExitCode.OK;
        }
        HostEnvironment environment = LeaseService.of(leases).environment();
        long begun = environment.nanos();
        String shown = "";
        while (true) {
            String now = left.get();
            if (now.isEmpty()) {
                return ExitCode.OK;
            }
            if (!now.equals(shown)) {
                context.console().note(now);
                shown = now;
            }
            Duration limit = timeout.get();
            if (limit != null && environment.nanos() - begun >= limit.toNanos()) {
                context.console()
                        .error("not within " + limit.toString().substring(2).toLowerCase(java.util.Locale.ROOT) + ": "
                                + now);
                return ExitCode.HELD;
            }
            CompletableFuture<Void> rested = new CompletableFuture<>();
            environment.schedule(PAUSE, () -> rested.complete(null));
            environment.await(rested);
        }
    }
}
