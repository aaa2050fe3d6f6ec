package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.UnitOutlook;
import java.util.List;
import java.util.Optional;

/** {@code fleet move}: moves a unit to a worker. */
final class FleetMoveCommand extends FleetOrderCommand {
    private final CommandOption<String> unit = CommandOption.positional(spec(), 1, "UNIT", "The name of the unit.");
    private final CommandOption<String> worker =
            CommandOption.optional(spec(), 2, "WORKER", "The name of the worker that gets the unit.");
    private final CommandOption<Boolean> cancel = CommandOption.flag(
            spec(), "Revoke an earlier move, so that the planner places the unit again.", "--cancel");
    private final OrderWait wait = new OrderWait(spec(), "until the worker has the unit");

    FleetMoveCommand() {
        super("fleet move", "NAME UNIT WORKER", "Move a unit to a worker, which keeps it.");
        describe(
                "Another unit may move in exchange, so that the fleet stays balanced. The worker keeps the unit until it"
                        + " leaves, dies or is drained, or until the unit fails there. A drained worker gets no unit.",
                SERVER);
        examples(
                "holdfast fleet move orders shard-7 web-2 --reason 'more memory' --wait",
                "holdfast fleet move orders shard-7 --cancel");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) throws InterruptedException {
        String name = unit.or("");
        String target = worker.or("");
        if (target.isEmpty() != cancel.or(false)) {
            throw CommandFailure.usage("no worker, or a worker and --cancel (expected: WORKER or --cancel)");
        }
        boolean changed = cancel.or(false) ? control.cancelMove(name, reason()) : control.move(name, target, reason());
        if (!changed) {
            context.console()
                    .note(quoted(name) + (cancel.or(false) ? " was not moved" : " was moved to this worker already"));
        }
        int code = 0;
        if (!cancel.or(false)) {
            noteIfFrozen(context, control);
            code = wait.run(context, leases, () -> progress(control.outlook(name), target));
        }
        print(context, changed ? List.of(name) : List.of());
        return code;
    }

    private static String progress(UnitOutlook outlook, String target) {
        if (outlook.heldBy().equals(Optional.of(target))) {
            return "";
        }
        return outlook.move().isEmpty() ? "the planner has dropped the move; " + outlook.summary() : outlook.summary();
    }
}
