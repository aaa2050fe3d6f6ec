package dev.holdfast.cli.command;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.FleetView;
import dev.holdfast.cli.output.Visible;
import dev.holdfast.fleet.FleetStatus;
import java.util.List;

/** Tells how a fleet is. */
final class FleetStatusCommand extends Command {
    private final Option<String> fleet = Names.fleet(spec());
    private final Option<Boolean> watch =
            Option.flag(spec(), "Show it anew every second, until Ctrl-C.", "-w", "--watch");
    private final Option<Boolean> json = Names.json(spec());

    FleetStatusCommand() {
        super("status", "NAME", "Show the workers of a fleet, what each has, and who plans.");
        describe(
                "As the planner and the workers say of themselves, so it costs the store little, and lags behind by a poll or"
                        + " two. Where nobody plans, the units are counted one by one.",
                "On a table of a8m/lease or the Kinesis Client Library (layout=kcl) it shows the workers of both kinds. The"
                        + " units of a dead worker count as held, until --watch has seen it silent for expire=.");
        examples("holdfast fleet status orders --watch", "holdfast fleet status orders --json | jq .units.held");
    }

    @Override
    public int run(Context context) throws InterruptedException {
        try (Leases leases = context.open()) {
            if (watch.or(false)) {
                new WatchLoop(context, leases.runtime()).run(() -> lines(context, leases));
            } else {
                lines(context, leases).forEach(context.console().out()::println);
            }
        }
        return ExitCode.OK;
    }

    private List<String> lines(Context context, Leases leases) {
        FleetStatus status = FleetAccess.of(context).status(leases, fleet.or(""));
        if (!watch.or(false) && status.units().total() == 0 && status.workers().isEmpty()) {
            context.console().note("'" + Visible.shortened(status.fleet()) + "' has neither units nor workers");
        }
        int width = context.console().terminal().isOut() ? context.console().width() : Integer.MAX_VALUE;
        return json.or(false) ? List.of(FleetView.json(status)) : FleetView.lines(status, width);
    }
}
