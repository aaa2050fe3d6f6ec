package dev.holdfast.cli.command.fleet;

import dev.holdfast.Leases;
import dev.holdfast.NotGrantedException;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.child.StopSignals;
import dev.holdfast.cli.child.UnitChildProcesses;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.ChildOptions;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.DurationParser;
import dev.holdfast.cli.option.WholeNumber;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.AssignmentStrategy;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetBuilder;
import dev.holdfast.fleet.FleetListener;
import dev.holdfast.fleet.FleetOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Works for a fleet: runs a command for each unit that this worker is given. */
final class FleetJoinCommand extends CliCommand {
    /** To kill what has not ended after the grace, and to see that it is gone. */
    private static final Duration KILLING = Duration.ofSeconds(5);

    private static final int MOST_UNITS = 1_000_000;

    private final CliOption<String> fleet = KeyArguments.fleet(spec());
    private final CliOption<Boolean> once = CliOption.flag(
            spec(), "A unit whose CMD ends with 0 is done, for ever. Without this, CMD is started again.", "--once");
    private final CliOption<String> worker = CliOption.text(
            spec(), "TEXT", "What this worker is called; user@host and something unique unless said.", "--worker");
    private final CliOption<Duration> term = CliOption.of(
            spec(),
            Duration.class,
            DurationParser::parse,
            "TERM",
            "How long until the units go to others if this machine dies; 10s unless said, or expire= of layout kcl.",
            "--term");
    private final CliOption<Integer> most = WholeNumber.option(
            spec(), MOST_UNITS, "The most units that this worker takes; no bound unless said.", "--max-units");
    private final CliOption<Boolean> byWeight = CliOption.flag(
            spec(), "When this worker plans: the same weight for each, not the same number of units.", "--by-weight");
    private final ChildOptions child = new ChildOptions(spec());

    FleetJoinCommand() {
        super("join", "NAME -- CMD...", "Work for a fleet: run a command for each unit that this worker is given.");
        describe(
                "CMD finds HOLDFAST_UNIT, HOLDFAST_FENCE, HOLDFAST_ATTRIBUTES (JSON), HOLDFAST_FLEET, HOLDFAST_WORKER,"
                        + " HOLDFAST_STORE and HOLDFAST_NAMESPACE in its environment, and nothing on stdin.",
                "When a unit is to move, its CMD and all that it started get SIGTERM, and SIGKILL after --grace; then the"
                        + " unit is handed over. If CMD ends by itself, the unit is tried again after a while, here or"
                        + " elsewhere; with --once and exit code 0, it is done.",
                "Runs until INT, TERM or HUP: then all units are handed over, and the exit code is 0; with --once it is 128"
                        + " plus the signal's number, as there may be units left to do. A second signal ends it at once.",
                "On a table of a8m/lease or the Kinesis Client Library (dynamodb://TABLE?layout=kcl) it works beside their"
                        + " workers, by their rules: all rows are units, and workers steal from each other to have the same"
                        + " number. NAME is then for people only.");
        examples(
                "holdfast fleet join orders -- sh -c './consume.sh \"$HOLDFAST_UNIT\"'",
                "holdfast fleet join backfill --once --max-units 4 -- ./backfill.sh");
    }

    @Override
    public int run(CommandContext commandContext) {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        FleetAccess access = FleetAccess.of(commandContext);
        access.requirePlanner(once.or(false), "--once");
        access.requirePlanner(byWeight.or(false), "--by-weight");
        FleetOptions options = options(access.term(term.get()));
        String self = worker.or(commandContext.settings().owner() + "-" + unique());
        List<String> command = child.toCommand(commandContext.args());
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Leases leases = commandContext.openToHold();
                StopSignals signals = StopSignals.caught()) {
            // A service that was stopped has ended well; a batch has not, as there may be units left to do.
            signals.onStop(signal -> end.complete(once.or(false) ? ExitCode.SIGNAL_BASE + signal : ExitCode.OK));
            UnitChildProcesses children = new UnitChildProcesses(
                    commandContext.console(),
                    command,
                    variables(commandContext, self),
                    child.toGrace(),
                    once.or(false),
                    signals);
            children.onHopeless(end::complete);
            FleetBuilder builder = access.worker(leases, fleet.or(""))
                    .worker(self)
                    .options(options)
                    .strategy(byWeight.or(false) ? AssignmentStrategy.byWeight() : AssignmentStrategy.byCount())
                    .onAssigned(children::begin)
                    .onRevoked(children::stop)
                    .executor(threads)
                    .listener(new Teller(commandContext));
            return untilTheEnd(
                    commandContext, most.isGiven() ? builder.maxUnits(most.or(MOST_UNITS)) : builder, self, end);
        } finally {
            threads.shutdown();
        }
    }

    private int untilTheEnd(
            CommandContext commandContext, FleetBuilder builder, String self, CompletableFuture<Integer> end) {
        try (Fleet joined = join(builder, self)) {
            int code = end.join();
            commandContext
                    .console()
                    .note("leaving '" + VisibleText.shortened(joined.name()) + "': "
                            + joined.held().size() + " units are handed over");
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

    private Map<String, String> variables(CommandContext commandContext, String self) {
        return Map.of(
                "HOLDFAST_FLEET",
                fleet.or(""),
                "HOLDFAST_WORKER",
                self,
                "HOLDFAST_STORE",
                commandContext.settings().store(),
                // The fleet has no part in it; but what goes with the store here must go with it there.
                "HOLDFAST_NAMESPACE",
                commandContext.settings().namespace());
    }

    private static String unique() {
        return UUID.randomUUID().toString().substring(0, 8);
    }

    private FleetOptions options(Duration silence) {
        Duration stopping = child.toGrace().plus(KILLING);
        return FleetOptions.defaults()
                .term(silence)
                .revokeDeadline(stopping)
                // It stops all by itself after half of this, and then needs the time to stop.
                .closeDeadline(silence.plus(stopping).multipliedBy(2));
    }

    /** Tells people what becomes of this worker. */
    private record Teller(CommandContext context) implements FleetListener {
        @Override
        public void onJoined(String worker) {
            context.console().note("joined as '" + VisibleText.shortened(worker) + "'");
        }

        @Override
        public void onNoUnits(String fleet) {
            String shown = VisibleText.shortened(fleet);
            context.console()
                    .note("fleet '" + shown + "' has no units yet: it waits for them (holdfast fleet units " + shown
                            + " add UNIT...)");
        }

        @Override
        public void onLost(String worker, String reason) {
            context.console()
                    .error("'" + VisibleText.shortened(worker) + "' is out of the fleet (" + reason
                            + "): its commands are ended, and it joins again");
        }
    }
}
