package dev.holdfast.cli.option;

import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.child.ChildEndRules;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The user's command after {@code --}, and the options that say how to stop it. */
public final class ChildOptions {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
    private static final String SEPARATOR = "--";

    private final CommandSpec spec;
    private final CliOption<Duration> grace;
    private final @Nullable CliOption<Boolean> descendants;
    private final CliOption<List<String>> command;

    /** For a command that runs as long as its unit is assigned. */
    public ChildOptions(CommandSpec to) {
        this(to, false);
    }

    /** For a command that runs under a lease, which is released when the command ends. */
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
                "When CMD has to stop: time between SIGTERM and SIGKILL. Default: 10s.",
                "--grace");
        this.descendants = leased
                ? CliOption.flag(
                        to,
                        "Keep the lease until all processes that CMD started have ended, too: daemons, background jobs."
                                + " Linux only.",
                        "--wait-for-descendants")
                : null;
        this.command = CliOption.rest(to, 1, "-- CMD", "The command and its arguments.", true);
    }

    public Duration toGrace() {
        return grace.or(DEFAULT_GRACE);
    }

    /** @param settles whether to wait briefly for a stop signal that was sent before the command ended */
    public ChildEndRules toEndRules(boolean settles) {
        return new ChildEndRules(toGrace(), descendants != null && descendants.or(false), settles);
    }

    /**
     * The command and its arguments.
     *
     * @param args the raw arguments; {@code --} is required so that an option of the command cannot be taken for one of
     *     holdfast's
     */
    public List<String> toCommand(List<String> args) {
        if (!args.contains(SEPARATOR)) {
            throw CommandFailure.usage(
                    "no -- before the command (expected: " + spec.qualifiedName(" ") + " NAME [OPTIONS] -- CMD...)");
        }
        return command.or(List.of());
    }
}
