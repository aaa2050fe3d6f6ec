package dev.holdfast.cli.fleet;

import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.cli.run.ChildOptions;
import dev.holdfast.cli.run.StopSignals;
import dev.holdfast.cli.run.UnitChildProcesses;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** {@code fleet join}: joins a fleet as a worker, and runs a command for each assigned unit. */
final class FleetJoinCommand extends CliCommand {
    /** Time to kill the processes that are alive after the grace, and to check that they have ended. */
    private static final Duration KILLING = Duration.ofSeconds(5);

    private static final int MOST_UNITS = 1_000_000;
    private static final String LABEL = "--label";

    private final CommandOption<String> fleet = FleetCommand.nameArgument(spec());
    private final CommandOption<Boolean> once = CommandOption.flag(
            spec(),
            "Mark a unit as done when its CMD exits with 0. Without this option, CMD is started again.",
            "--once");
    private final CommandOption<String> worker = CommandOption.text(
            spec(), "TEXT", "Name of this worker. Default: user@host and a random suffix.", "--worker");
    private final CommandOption<Duration> term = CommandOption.duration(
            spec(),
            "TERM",
            "How long until the units move to other workers if this machine dies. Default: 10s, or expire= with layout kcl.",
            "--term");
    private final CommandOption<Integer> most = CommandOption.number(
            spec(),
            1,
            MOST_UNITS,
            "Maximum number of units of this worker. Default: no limit.",
            "--capacity",
            "--max-units");
    private final CommandOption<List<String>> labels = CommandOption.texts(
            spec(),
            "LABEL=VALUE",
            "A label of this worker, such as zone=a. Units may require or prefer it. May be repeated.",
            LABEL);
    private final CommandOption<Boolean> load = CommandOption.flag(
            spec(), "Report the load average of this machine, which fleet status shows.", "--report-load");
    private final CommandOption<Boolean> byWeight = CommandOption.flag(
            spec(), "If this worker is the planner, balance the weight of the units, not their number.", "--by-weight");
    private final CommandOption<String> spread = CommandOption.text(
            spec(),
            "LABEL",
            "If this worker is the planner, spread the units of each group evenly over the values of this label.",
            "--spread");
    private final ChildOptions child = new ChildOptions(spec(), false);

    FleetJoinCommand() {
        super("fleet join", "NAME -- CMD...", "Join a fleet as a worker: run a command for each assigned unit.");
        describe(
                "The environment of CMD has HOLDFAST_UNIT, HOLDFAST_FENCE, HOLDFAST_ATTRIBUTES (JSON), HOLDFAST_FLEET,"
                        + " HOLDFAST_WORKER, HOLDFAST_STORE and HOLDFAST_NAMESPACE. Its stdin is empty.",
                "Before a unit moves, its CMD and all processes that it started receive SIGTERM, and SIGKILL after --grace."
                        + " If CMD exits by itself, the unit is retried after a delay, by this worker or another; with --once"
                        + " and exit code 0 it is done.",
                "Runs until INT, TERM or HUP, then hands over all units and exits with 0. With --once it exits with 128 plus"
                        + " the number of the signal, because units may be left to do. A second signal ends it immediately.",
                "On a table of a8m/lease or the Kinesis Client Library (dynamodb://TABLE?layout=kcl) it works alongside their"
                        + " workers and follows their rules: all rows are units, and workers steal units from each other to"
                        + " balance their number. NAME is then only for people.");
        examples(
                "holdfast fleet join orders -- sh -c './consume.sh \"$HOLDFAST_UNIT\"'",
                "holdfast fleet join backfill --once --capacity 4 -- ./backfill.sh",
                "holdfast fleet join orders --label zone=a --spread zone -- ./consume.sh");
    }

    @Override
    public int run(CommandContext context) {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        FleetAccess access = new FleetAccess(context.settings().store());
        access.requirePlanner(once.or(false), "--once");
        access.requirePlanner(byWeight.or(false), "--by-weight");
        access.requirePlanner(spread.isGiven(), "--spread");
        access.requirePlanner(labels.isGiven(), LABEL);
        access.requirePlanner(load.or(false), "--report-load");
        AssignmentStrategy strategy = strategy();
        FleetOptions options = options(access.term(term.get()));
        String suffix = UUID.randomUUID().toString().substring(0, 8);
        String self = worker.or(context.settings().owner() + "-" + suffix);
        List<String> command = child.toCommand(context.args());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Leases leases = context.openToHold();
                StopSignals signals = StopSignals.caught()) {
            // A stopped service has succeeded. A stopped batch has not, because units may be left to do.
            signals.onStop(signal -> end.complete(once.or(false) ? ExitCode.SIGNAL_BASE + signal : ExitCode.OK));
            UnitChildProcesses children = new UnitChildProcesses(
                    context.console(),
                    command,
                    unit -> variables(context, self, unit),
                    child.toGrace(),
                    once.or(false),
                    signals);
            children.onHopeless(end::complete);
            FleetBuilder builder = access.worker(leases, fleet.or(""))
                    .worker(self)
                    .options(options)
                    .strategy(strategy)
                    .onAssigned(children::begin)
                    .onRevoked(children::stop)
                    .executor(threads)
                    .listener(new ConsoleListener(context));
            describeWorker(builder);
            return runUntilStopped(context, builder, self, end);
        } finally {
            threads.shutdown();
        }
    }

    private AssignmentStrategy strategy() {
        AssignmentStrategy balance = byWeight.or(false) ? AssignmentStrategy.byWeight() : AssignmentStrategy.byCount();
        return spread.isGiven() ? AssignmentStrategy.spreadOver(spread.or(""), balance) : balance;
    }

    private void describeWorker(FleetBuilder builder) {
        if (most.isGiven()) {
            builder.maxUnits(most.or(MOST_UNITS));
        }
        LabelPairs.labels(LABEL, labels.or(List.of())).forEach(builder::label);
        if (load.or(false)) {
            // Negative where the system has none, which is reported as unknown.
            builder.load(ManagementFactory.getOperatingSystemMXBean()::getSystemLoadAverage);
        }
    }

    private int runUntilStopped(
            CommandContext context, FleetBuilder builder, String self, CompletableFuture<Integer> end) {
        try (Fleet joined = join(builder, self)) {
            int code = end.join();
            context.console()
                    .note("leaving '" + VisibleText.shortened(joined.name()) + "': handing over "
                            + joined.held().size() + " units");
            return code;
        }
    }

    private Fleet join(FleetBuilder builder, String self) {
        try {
            return builder.join();
        } catch (NotGrantedException e) {
            throw new CommandFailure(
                    ExitCode.HELD,
                    "a worker named '" + VisibleText.shortened(self) + "' is alive in fleet '"
                            + VisibleText.shortened(fleet.or("")) + "'; stop it, or choose another name with --worker",
                    e);
        }
    }

    private Map<String, String> variables(CommandContext context, String self, Unit unit) {
        return Map.of(
                "HOLDFAST_FLEET",
                fleet.or(""),
                "HOLDFAST_WORKER",
                self,
                "HOLDFAST_STORE",
                context.settings().store(),
                // The fleet does not use the namespace, but a holdfast call inside CMD must find the same settings.
                "HOLDFAST_NAMESPACE",
                context.settings().namespace(),
                "HOLDFAST_UNIT",
                unit.name(),
                "HOLDFAST_FENCE",
                unit.fence().toString(),
                "HOLDFAST_ATTRIBUTES",
                new JsonWriter().attributes(unit.attributes()).toString());
    }

    private FleetOptions options(Duration workerTerm) {
        Duration stopping = child.toGrace().plus(KILLING);
        return FleetOptions.defaults()
                .term(workerTerm)
                .revokeDeadline(stopping)
                // Closing begins to stop all commands after half of this time, and then needs time to stop them.
                .closeDeadline(workerTerm.plus(stopping).multipliedBy(2));
    }

    /** Listener that prints the events of this worker to the console. */
    private record ConsoleListener(CommandContext context) implements FleetListener {
        @Override
        public void onJoined(String worker) {
            context.console().note("joined as '" + VisibleText.shortened(worker) + "'");
        }

        @Override
        public void onNoUnits(String fleet) {
            String shown = VisibleText.shortened(fleet);
            context.console()
                    .note("fleet '" + shown + "' has no units yet; waiting for units (holdfast fleet units " + shown
                            + " add UNIT...)");
        }

        @Override
        public void onLost(String worker, String reason) {
            context.console()
                    .error("'" + VisibleText.shortened(worker) + "' was dropped from the fleet (" + reason
                            + "); its commands are terminated, and it joins again");
        }
    }
}
