package dev.holdfast.cli.run;

import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The user's command after {@code --}, and the options that say how to stop it. */
public final class ChildOptions {
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);
    private static final String SEPARATOR = "--";

    private final CommandSpec spec;
    private final CommandOption<Duration> grace;
    private final @Nullable CommandOption<Boolean> descendants;
    private final CommandOption<List<String>> command;

    /** @param leased whether the command runs under a lease, which is released when the command ends */
    public ChildOptions(CommandSpec to, boolean leased) {
        this.spec = to;
        this.grace = CommandOption.duration(
                to, "TIME", "When CMD has to stop: time between SIGTERM and SIGKILL. Default: 10s.", "--grace");
        this.descendants = leased
                ? CommandOption.flag(
                        to,
                        "Keep the lease until all processes that CMD started have ended, too: daemons, background jobs."
                                + " Linux only.",
                        "--wait-for-descendants")
                : null;
        this.command = CommandOption.rest(to, 1, "-- CMD", "The command and its arguments.", true);
    }

    /** Option {@code --conflict-exit-code N}, as in flock(1). */
    static CommandOption<Integer> conflict(CommandSpec to) {
        String description = "Exit code if the lease is held by another holder. Default: 3.";
        return CommandOption.number(to, 0, 255, description, "--conflict-exit-code");
    }

    public Duration toGrace() {
        return grace.or(DEFAULT_GRACE);
    }

    /**
     * The command, to run under a lease.
     *
     * @param once whether success marks the key as done
     */
    LeasedChildProcess underLease(CommandContext context, boolean once) {
        boolean waits = descendants != null && descendants.or(false);
        return new LeasedChildProcess(context, toCommand(context.args()), toGrace(), waits, once);
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
