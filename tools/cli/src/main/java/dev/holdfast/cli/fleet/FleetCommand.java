package dev.holdfast.cli.fleet;

import dev.holdfast.cli.command.CommandGroup;
import dev.holdfast.cli.command.CommandOption;
import picocli.CommandLine.Model.CommandSpec;

/** {@code fleet}: commands for fleets. */
public final class FleetCommand extends CommandGroup {
    public FleetCommand() {
        super(
                "fleet",
                "COMMAND NAME",
                "Distribute units of work over the live workers.",
                "holdfast fleet join, units, status, pause, resume, drain, undrain, freeze, thaw or move",
                new FleetJoinCommand(),
                new FleetUnitsCommand(),
                new FleetStatusCommand(),
                new FleetPauseCommand(),
                new FleetResumeCommand(),
                new FleetDrainCommand(),
                new FleetUndrainCommand(),
                new FleetFreezeCommand(),
                new FleetThawCommand(),
                new FleetMoveCommand());
        describe(
                "A fleet has a name, units of work, and workers. Each unit is assigned to one worker at a time, and the"
                        + " numbers of units per worker differ by at most one. When workers join, leave or die, units"
                        + " move.",
                "Operators can pause units, drain workers, freeze the fleet, and move units. A pause comes first: it works in a"
                        + " frozen fleet. Then a freeze: drains and moves wait for its end. Then drains, and then moves.",
                "The name of a fleet does not belong to a namespace: --namespace has no effect on it.");
        examples(
                "holdfast fleet units orders add shard-0 shard-1 shard-2",
                "holdfast fleet join orders -- ./consume.sh     on each machine",
                "holdfast fleet status orders --watch",
                "holdfast fleet drain orders web-3 --reason 'kernel update' --wait");
    }

    /** The name of a fleet, as the first argument. */
    static CommandOption<String> nameArgument(CommandSpec to) {
        return CommandOption.positional(to, 0, "NAME", "The name of the fleet.");
    }
}
