package dev.holdfast.cli.option;

import dev.holdfast.cli.CommandFailure;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** Options {@code --wait} and {@code --no-wait}: how long to wait for a held lease. */
public final class WaitOptions {
    private static final Duration DEFAULT = Duration.ofSeconds(60);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final CliOption<Duration> wait;
    private final CliOption<Boolean> noWait;

    public WaitOptions(CommandSpec to) {
        this.wait = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TIME",
                "How long to wait if the lease is held. Default: 60s; 0 waits forever.",
                "--wait");
        this.noWait = CliOption.flag(to, "Do not wait.", "--no-wait");
    }

    /** The time to wait; zero means not to wait. */
    public Duration toWait() {
        if (noWait.or(false)) {
            if (wait.isGiven()) {
                throw CommandFailure.usage("--wait and --no-wait (expected: one of them)");
            }
            return Duration.ZERO;
        }
        Duration given = wait.or(DEFAULT);
        return given.isZero() ? FOR_EVER : given;
    }
}
