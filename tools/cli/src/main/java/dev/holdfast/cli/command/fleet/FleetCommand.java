package dev.holdfast.cli.command.fleet;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import picocli.CommandLine;

/** Parent of {@code fleet units}, {@code fleet join} and {@code fleet status}. */
public final class FleetCommand extends CliCommand {
    public FleetCommand() {
        super("fleet", "join|units|status NAME", "Distribute units of work over the live workers.");
        describe(
                "A fleet has a name, units of work, and workers. Each unit is assigned to one worker at a time, and the"
                        + " numbers of units per worker differ by at most one. When workers join, leave or die, units"
                        + " move.",
                "The name of a fleet does not belong to a namespace: --namespace has no effect on it.");
        examples(
                "holdfast fleet units orders add shard-0 shard-1 shard-2",
                "holdfast fleet join orders -- ./consume.sh     on each machine",
                "holdfast fleet status orders --watch");
        add(new FleetJoinCommand(), "NAME -- CMD...");
        add(new FleetUnitsCommand(), "NAME add|rm|reopen|ls [UNIT...]");
        add(new FleetStatusCommand(), "NAME");
    }

    private void add(CliCommand part, String synopsis) {
        String name = part.spec().name();
        part.spec().usageMessage().customSynopsis("holdfast fleet " + name + " [OPTIONS] " + synopsis);
        spec().addSubcommand(name, new CommandLine(part.spec()));
    }

    @Override
    public int run(CommandContext commandContext) {
        throw CommandFailure.usage(
                "fleet (expected: holdfast fleet join, holdfast fleet units, or holdfast fleet status)");
    }
}
