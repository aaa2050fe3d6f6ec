package dev.holdfast.cli.fleet;

import dev.holdfast.cli.command.CommandGroup;
import dev.holdfast.cli.command.CommandOption;
import picocli.CommandLine.Model.CommandSpec;

/** {@code fleet}: commands for fleets. */
public final class FleetCommand extends CommandGroup {
    public FleetCommand() {
        super(
                "fleet",
                "join|units|status NAME",
                "Distribute units of work over the live workers.",
                "holdfast fleet join, holdfast fleet units, or holdfast fleet status",
                new FleetJoinCommand(),
                new FleetUnitsCommand(),
                new FleetStatusCommand());
        describe(
                "A fleet has a name, units of work, and workers. Each unit is assigned to one worker at a time, and the"
                        + " numbers of units per worker differ by at most one. When workers join, leave or die, units"
                        + " move.",
                "The name of a fleet does not belong to a namespace: --namespace has no effect on it.");
        examples(
                "holdfast fleet units orders add shard-0 shard-1 shard-2",
                "holdfast fleet join orders -- ./consume.sh     on each machine",
                "holdfast fleet status orders --watch");
    }

    /** The name of a fleet, as the first argument. */
    static CommandOption<String> nameArgument(CommandSpec to) {
        return CommandOption.positional(to, 0, "NAME", "The name of the fleet.");
    }
}
