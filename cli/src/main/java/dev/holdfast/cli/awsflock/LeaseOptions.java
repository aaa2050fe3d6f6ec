package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.Context;
import dev.holdfast.cli.config.Owner;
import dev.holdfast.cli.option.DurationText;
import dev.holdfast.cli.option.Option;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** How long a lease lasts, and whose it is: the options that awsflock's acquire and renew share. */
final class LeaseOptions {
    private static final Duration USUAL = Duration.ofHours(2);

    private final Option<Duration> duration;
    private final Option<String> owner;

    LeaseOptions(CommandSpec to) {
        this.duration = Option.of(
                to,
                Duration.class,
                DurationText::parse,
                "TIME",
                "How long the lease lasts: 15m, 3 minutes, 100hrs, 1 day, or seconds; 2 hours unless said.",
                "--lease-duration",
                "--expiration");
        this.owner = Option.text(to, "NAME", "Who holds it; the name of this host unless said.", "--owner");
    }

    Duration duration() {
        return duration.or(USUAL);
    }

    String owner(Context context) {
        return owner.or(Owner.host(context.console().environment()));
    }
}
