package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.config.ProcessOwner;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.DurationParser;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** How long a lease lasts, and whose it is: the options that awsflock's acquire and renew share. */
final class LockLeaseOptions {
    private static final Duration USUAL = Duration.ofHours(2);

    private final CliOption<Duration> duration;
    private final CliOption<String> owner;

    LockLeaseOptions(CommandSpec to) {
        this.duration = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TIME",
                "How long the lease lasts: 15m, 3 minutes, 100hrs, 1 day, or seconds; 2 hours unless said.",
                "--lease-duration",
                "--expiration");
        this.owner = CliOption.text(to, "NAME", "Who holds it; the name of this host unless said.", "--owner");
    }

    Duration duration() {
        return duration.or(USUAL);
    }

    String owner(CommandContext commandContext) {
        return owner.or(ProcessOwner.host(commandContext.console().environment()));
    }
}
