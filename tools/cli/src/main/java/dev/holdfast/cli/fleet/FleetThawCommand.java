package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.fleet.FleetControl;
import java.util.List;

/** {@code fleet thaw}: ends a freeze. */
final class FleetThawCommand extends FleetOrderCommand {
    FleetThawCommand() {
        super("fleet thaw", "NAME", "End the freeze of a fleet.");
        describe("The planner balances the fleet again, and carries out drains and moves that waited.", SERVER);
        examples("holdfast fleet thaw orders");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) {
        boolean changed = control.thaw(reason());
        if (!changed) {
            context.console().note(quoted(fleet()) + " is not frozen");
        }
        print(context, changed ? List.of(fleet()) : List.of());
        return ExitCode.OK;
    }
}
