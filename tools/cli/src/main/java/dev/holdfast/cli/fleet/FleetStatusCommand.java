package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.WatchLoop;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.service.LeaseService;
import java.util.List;

/** {@code fleet status}: shows the workers and units of a fleet. */
final class FleetStatusCommand extends CliCommand {
    private final CommandOption<String> fleet = FleetCommand.nameArgument(spec());
    private final CommandOption<Boolean> watch =
            CommandOption.flag(spec(), "Refresh every second, until Ctrl-C.", "-w", "--watch");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    FleetStatusCommand() {
        super("fleet status", "NAME", "Show the workers of a fleet, their units, and the planner.");
        describe(
                "The status is read from the reports of the planner and the workers. This is cheap, but lags behind by a poll"
                        + " or two. Without a planner, the units are counted one by one.",
                "On a table of a8m/lease or the Kinesis Client Library (layout=kcl) it shows the workers of both tools. The"
                        + " units of a dead worker count as held until --watch has seen no renewal for expire=.");
        examples("holdfast fleet status orders --watch", "holdfast fleet status orders --json | jq .units.held");
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        try (Leases leases = context.open()) {
            if (watch.or(false)) {
                new WatchLoop(context.console(), leases).run(() -> lines(context, leases));
            } else {
                lines(context, leases).forEach(context.console()::print);
            }
        }
        return ExitCode.OK;
    }

    private List<String> lines(CommandContext context, Leases leases) {
        FleetStatus status = new FleetAccess(context.settings().store()).status(leases, fleet.or(""));
        if (!watch.or(false) && status.units().total() == 0 && status.workers().isEmpty()) {
            context.console().note(FleetStatusText.empty(status));
        }
        int width = context.console().resultWidth();
        return json.or(false)
                ? List.of(FleetStatusText.json(status))
                : FleetStatusText.lines(
                        status, LeaseService.of(leases).environment().now(), width);
    }
}
