package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.config.ProcessOwner;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.DurationParser;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** Options that awsflock's acquire and renew share: duration and owner of the lease. */
final class LockLeaseOptions {
    private static final Duration DEFAULT = Duration.ofHours(2);

    private final CliOption<Duration> duration;
    private final CliOption<String> owner;

    LockLeaseOptions(CommandSpec to) {
        this.duration = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TIME",
                "Duration of the lease: 15m, 3 minutes, 100hrs, 1 day, or seconds. Default: 2 hours.",
                "--lease-duration",
                "--expiration");
        this.owner = CliOption.text(to, "NAME", "Name of the holder. Default: the name of this host.", "--owner");
    }

    Duration duration() {
        return duration.or(DEFAULT);
    }

    String owner(CommandContext commandContext) {
        return owner.or(ProcessOwner.host(commandContext.console().environment()));
    }
}
