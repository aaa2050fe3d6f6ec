package dev.holdfast.awsflock;

import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.config.ProcessOwner;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** Options that awsflock's acquire and renew share: duration and owner of the lease. */
final class LockLeaseOptions {
    private static final Duration DEFAULT = Duration.ofHours(2);

    private final CommandOption<Duration> duration;
    private final CommandOption<String> owner;

    LockLeaseOptions(CommandSpec to) {
        this.duration = CommandOption.duration(
                to,
                "TIME",
                "Duration of the lease: 15m, 3 minutes, 100hrs, 1 day, or seconds. Default: 2 hours.",
                "--lease-duration",
                "--expiration");
        this.owner = CommandOption.text(to, "NAME", "Name of the holder. Default: the name of this host.", "--owner");
    }

    Duration duration() {
        return duration.or(DEFAULT);
    }

    String owner(CommandContext context) {
        return owner.or(ProcessOwner.host(context.console().environment()));
    }
}
