package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.fleet.FleetControl;
import java.util.List;

/** {@code fleet freeze}: keeps all units of live workers where they are. */
final class FleetFreezeCommand extends FleetOrderCommand {
    FleetFreezeCommand() {
        super("fleet freeze", "NAME", "Move no units, except those of workers that die or leave.");
        describe(
                "New units are assigned as usual, and a unit that fails is retried on its worker. Drains and moves wait until"
                        + " the fleet is thawed. A pause works at once.",
                SERVER);
        examples("holdfast fleet freeze orders --reason 'incident 42'", "holdfast fleet thaw orders");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) {
        boolean changed = control.freeze(reason());
        if (!changed) {
            context.console().note(quoted(fleet()) + " is frozen already");
        }
        print(context, changed ? List.of(fleet()) : List.of());
        return ExitCode.OK;
    }
}
