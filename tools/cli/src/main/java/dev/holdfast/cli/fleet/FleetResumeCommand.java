package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.fleet.FleetControl;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** {@code fleet resume}: ends the pause of units. */
final class FleetResumeCommand extends FleetOrderCommand {
    private final CommandOption<List<String>> names = CommandOption.rest(spec(), 1, "UNIT", "Names of units.", false);
    private final CommandOption<Boolean> all = CommandOption.flag(spec(), "Resume all paused units.", "--all");

    FleetResumeCommand() {
        super("fleet resume", "NAME UNIT...", "End the pause of units.");
        describe("The planner assigns them to workers again.", SERVER);
        examples("holdfast fleet resume orders shard-7", "holdfast fleet resume orders --all");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) {
        List<String> given = names.or(List.of());
        if (given.isEmpty() != all.or(false)) {
            throw CommandFailure.usage("no units, or units and --all (expected: UNIT... or --all)");
        }
        Collection<String> units = all.or(false) ? control.state().paused().keySet() : given;
        Set<String> changed = control.resume(units, reason());
        units.stream()
                .filter(unit -> !changed.contains(unit))
                .forEach(unit -> context.console().note(quoted(unit) + " is not paused"));
        print(context, changed);
        return ExitCode.OK;
    }
}
