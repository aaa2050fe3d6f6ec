package dev.holdfast.cli.option;

import dev.holdfast.cli.CommandFailure;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** A command of somebody else's, after {@code --}, and how to end it. */
public final class ChildOptions {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
    private static final String SEPARATOR = "--";

    private final CommandSpec spec;
    private final Option<Duration> grace;
    private final Option<List<String>> command;

    public ChildOptions(CommandSpec to) {
        this.spec = to;
        this.grace = Option.of(
                to,
                Duration.class,
                DurationText::parse,
                "TIME",
                "When CMD must end: how long after SIGTERM comes SIGKILL; 10s unless said.",
                "--grace");
        this.command = Option.rest(to, 1, "-- CMD", "The command and its arguments.", true);
    }

    public Duration toGrace() {
        return grace.or(DEFAULT_GRACE);
    }

    /**
     * The command and its arguments.
     *
     * @param args as given; without {@code --} an option of the command could be taken for one of ours
     */
    public List<String> toCommand(List<String> args) {
        if (!args.contains(SEPARATOR)) {
            throw CommandFailure.usage(
                    "no -- before the command (expected: " + spec.qualifiedName(" ") + " NAME [OPTIONS] -- CMD...)");
        }
        return command.or(List.of());
    }
}
