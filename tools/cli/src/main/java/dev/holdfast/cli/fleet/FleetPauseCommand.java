package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.fleet.FleetControl;
import java.util.List;
import java.util.Set;

/** {@code fleet pause}: takes units from their workers, and gives them to none until they are resumed. */
final class FleetPauseCommand extends FleetOrderCommand {
    private final CommandOption<List<String>> names = CommandOption.rest(spec(), 1, "UNIT", "Names of units.", true);
    private final OrderWait wait = new OrderWait(spec(), "until no worker works on the units");

    FleetPauseCommand() {
        super("fleet pause", "NAME UNIT...", "Stop units, and assign them to no worker until they are resumed.");
        describe(
                "Their workers stop them as in any hand-over. A pause survives every process. It works in a frozen fleet,"
                        + " too.",
                SERVER);
        examples(
                "holdfast fleet pause orders shard-7 --reason 'ticket 4711: bad data' --wait",
                "holdfast fleet resume orders shard-7");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) throws InterruptedException {
        List<String> units = names.or(List.of());
        Set<String> changed = control.pause(units, reason());
        units.stream()
                .filter(unit -> !changed.contains(unit))
                .forEach(unit -> context.console().note(quoted(unit) + " is paused already"));
        int code = wait.run(context, leases, () -> {
            Set<String> left = control.notStopped(units);
            return left.isEmpty() ? "" : left.size() + " of " + units.size() + " units have not stopped";
        });
        print(context, changed);
        return code;
    }
}
