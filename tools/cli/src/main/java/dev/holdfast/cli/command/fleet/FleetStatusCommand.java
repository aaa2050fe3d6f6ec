package dev.holdfast.cli.command.fleet;

import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.command.WatchLoop;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.FleetText;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.FleetStatus;
import dev.holdfast.service.LeaseService;
import java.util.List;

/** {@code fleet status}: shows the workers and units of a fleet. */
final class FleetStatusCommand extends CliCommand {
    private final CliOption<String> fleet = KeyArguments.fleet(spec());
    private final CliOption<Boolean> watch =
            CliOption.flag(spec(), "Refresh every second, until Ctrl-C.", "-w", "--watch");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    FleetStatusCommand() {
        super("status", "NAME", "Show the workers of a fleet, their units, and the planner.");
        describe(
                "The status is read from the reports of the planner and the workers. This is cheap, but lags behind by a poll"
                        + " or two. Without a planner, the units are counted one by one.",
                "On a table of a8m/lease or the Kinesis Client Library (layout=kcl) it shows the workers of both tools. The"
                        + " units of a dead worker count as held until --watch has seen no renewal for expire=.");
        examples("holdfast fleet status orders --watch", "holdfast fleet status orders --json | jq .units.held");
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        try (Leases leases = commandContext.open()) {
            if (watch.or(false)) {
                new WatchLoop(commandContext, LeaseService.of(leases).environment()).run(() -> lines(commandContext, leases));
            } else {
                lines(commandContext, leases).forEach(commandContext.console().out()::println);
            }
        }
        return ExitCode.OK;
    }

    private List<String> lines(CommandContext commandContext, Leases leases) {
        FleetStatus status = FleetAccess.of(commandContext).status(leases, fleet.or(""));
        if (!watch.or(false) && status.units().total() == 0 && status.workers().isEmpty()) {
            commandContext
                    .console()
                    .note("'" + VisibleText.shortened(status.fleet()) + "' has neither units nor workers");
        }
        int width = commandContext.console().terminal().isOut()
                ? commandContext.console().width()
                : Integer.MAX_VALUE;
        return json.or(false) ? List.of(FleetText.json(status)) : FleetText.lines(status, width);
    }
}
