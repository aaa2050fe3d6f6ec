package dev.holdfast.cli.option;

import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.child.ChildEndRules;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A command of somebody else's, after {@code --}, and how to end it. */
public final class ChildOptions {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
    private static final String SEPARATOR = "--";

    private final CommandSpec spec;
    private final CliOption<Duration> grace;
    private final @Nullable CliOption<Boolean> descendants;
    private final CliOption<List<String>> command;

    /** Of a command that goes on for as long as it has its unit. */
    public ChildOptions(CommandSpec to) {
        this(to, false);
    }

    /** Of a command that ends a lease when it ends. */
    public static ChildOptions underLease(CommandSpec to) {
        return new ChildOptions(to, true);
    }

    private ChildOptions(CommandSpec to, boolean leased) {
        this.spec = to;
        this.grace = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TIME",
                "When CMD must end: how long after SIGTERM comes SIGKILL; 10s unless said.",
                "--grace");
        this.descendants = leased
                ? CliOption.flag(
                        to,
                        "Keep the lease until all that CMD started has ended, too: daemons, background jobs. On Linux.",
                        "--wait-for-descendants")
                : null;
        this.command = CliOption.rest(to, 1, "-- CMD", "The command and its arguments.", true);
    }

    public Duration toGrace() {
        return grace.or(DEFAULT_GRACE);
    }

    /** @param settles whether every stop signal that was sent before the end matters */
    public ChildEndRules toEndRules(boolean settles) {
        return new ChildEndRules(toGrace(), descendants != null && descendants.or(false), settles);
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
