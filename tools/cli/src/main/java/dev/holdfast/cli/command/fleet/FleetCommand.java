package dev.holdfast.cli.command.fleet;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import picocli.CommandLine;

/** {@code fleet units}, {@code fleet join} and {@code fleet status}. */
public final class FleetCommand extends CliCommand {
    public FleetCommand() {
        super("fleet", "join|units|status NAME", "Spread units of work over whoever is alive.");
        describe(
                "A fleet has a name, units of work, and workers. Each unit is worked on by one worker at a time; all have the"
                        + " same number, to within one. When workers come, go or die, units move.",
                "The name of a fleet stands by itself: --namespace has no part in it.");
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
