package dev.holdfast.cli.option;

import dev.holdfast.cli.CommandFailure;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;

/** How long to wait for a holder to give way. */
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
                "How long to wait while another holds it; 60s unless said, 0 for as long as it takes.",
                "--wait");
        this.noWait = CliOption.flag(to, "Do not wait.", "--no-wait");
    }

    /** Zero: do not wait. */
    public Duration toWait() {
        if (noWait.or(false)) {
            if (wait.isGiven()) {
                throw CommandFailure.usage("--wait and --no-wait (expected: one of them)");
            }
            return Duration.ZERO;
        }
        Duration said = wait.or(DEFAULT);
        return said.isZero() ? FOR_EVER : said;
    }
}
