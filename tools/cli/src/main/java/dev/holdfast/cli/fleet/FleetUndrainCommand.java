package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetControl;
import dev.holdfast.fleet.FleetStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code fleet undrain}: ends the drain of workers. */
final class FleetUndrainCommand extends FleetOrderCommand {
    private final CommandOption<List<String>> names =
            CommandOption.rest(spec(), 1, "WORKER", "Names of workers.", false);
    private final CommandOption<Boolean> absent =
            CommandOption.flag(spec(), "End the drains of all workers that are not joined.", "--absent");

    FleetUndrainCommand() {
        super("fleet undrain", "NAME WORKER...", "End the drain of workers, so that they get units again.");
        describe(
                "The drain of a worker that never comes back does no harm, but is kept. --absent removes all of these.",
                SERVER);
        examples("holdfast fleet undrain orders web-3", "holdfast fleet undrain orders --absent");
    }

    @Override
    int give(CommandContext context, Leases leases, FleetControl control) {
        List<String> given = names.or(List.of());
        if (given.isEmpty() != absent.or(false)) {
            throw CommandFailure.usage("no workers, or workers and --absent (expected: WORKER... or --absent)");
        }
        List<String> changed = new ArrayList<>();
        for (String worker : absent.or(false) ? absentWorkers(leases) : given) {
            if (control.undrain(worker, reason())) {
                changed.add(worker);
            } else {
                context.console().note(quoted(worker) + " is not drained");
            }
        }
        print(context, changed);
        return ExitCode.OK;
    }

    private Collection<String> absentWorkers(Leases leases) {
        FleetStatus status = Fleet.status(leases, fleet());
        Set<String> joined =
                status.workers().stream().map(FleetStatus.WorkerStatus::worker).collect(Collectors.toSet());
        return status.control().drained().keySet().stream()
                .filter(worker -> !joined.contains(worker))
                .sorted()
                .toList();
    }
}
