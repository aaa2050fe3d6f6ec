package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetStatus;
import java.util.List;
import java.util.stream.Collectors;

/** {@code fleet drain}: moves the units of a worker to others, and gives it no more. */
final class FleetDrainCommand extends FleetOrderCommand {
    private final CommandOption<String> worker =
            CommandOption.positional(spec(), 1, "WORKER", "The name of the worker.");
    private final CommandOption<Boolean> absent = CommandOption.flag(
            spec(), "Accept a worker that is not joined now. It gets no units when it joins.", "--absent");
    private final OrderWait wait = new OrderWait(spec(), "until the worker has no units");

    FleetDrainCommand() {
        super("fleet drain", "NAME WORKER", "Move the units of a worker to others, and give it no more.");
        describe(
                "Units move a few at a time, and none is idle for longer than a hand-over. A unit that no other worker can"
                        + " take stays, and fleet status says why.",
                "The drain applies to the name of the worker, and survives its restart. It ends with fleet undrain.",
                SERVER);
        examples(
                "holdfast fleet drain orders web-3 --reason 'kernel update' --wait --timeout 10m",
                "holdfast fleet undrain orders web-3");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) throws InterruptedException {
        String name = worker.or("");
        if (!absent.or(false)) {
            requireJoined(Fleet.status(leases, fleet()), name);
        }
        boolean changed = control.drain(name, reason());
        if (!changed) {
            context.console().note(quoted(name) + " is drained already");
        }
        noteIfFrozen(context, control);
        int code = wait.run(context, leases, () -> progress(leases, control, name));
        print(context, changed ? List.of(name) : List.of());
        return code;
    }

    private static void requireJoined(FleetStatus status, String name) {
        List<String> joined =
                status.workers().stream().map(FleetStatus.WorkerStatus::worker).toList();
        if (!joined.contains(name)) {
            throw CommandFailure.usage("worker: " + quoted(name) + " (expected: a worker that is joined"
                    + (joined.isEmpty() ? "" : ": " + String.join(", ", joined)) + "; or --absent)");
        }
    }

    private String progress(Leases leases, FleetControl control, String name) {
        FleetControl.DrainProgress progress = control.drainProgress(name);
        if (progress.empty()) {
            return "";
        }
        String left = quoted(name) + " has " + progress.left() + " units left";
        String stuck = Fleet.status(leases, fleet()).unplaced().stream()
                .map(FleetStatus.UnplacedUnits::text)
                .distinct()
                .collect(Collectors.joining(", "));
        return stuck.isEmpty() ? left : left + "; units cannot move: " + stuck;
    }
}
