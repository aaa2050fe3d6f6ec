package dev.holdfast.cli.command;

import dev.holdfast.Holder;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.LeaseStatusJson;
import dev.holdfast.cli.output.StatusColumns;
import dev.holdfast.service.LeaseService;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@code ls}: lists keys. */
public final class LsCommand extends CliCommand {
    private static final List<String> STATES = List.of("held", "free", "done", "all");

    /**
     * More rows than a person reads. The limit is needed because the layout keeps the whole table in memory. JSON is
     * written row by row and has no limit.
     */
    private static final int ROWS = 10_000;

    private final CliOption<String> prefix =
            CliOption.optional(spec(), 0, "PREFIX", "List only names with this prefix.");
    private final CliOption<String> state =
            CliOption.choice(spec(), STATES, "List only keys with this status. Default: held.", "--status");
    private final CliOption<String> holder =
            CliOption.text(spec(), "TEXT", "List only keys with this current or last holder.", "--holder");
    private final AttributeOption attributes =
            new AttributeOption(spec(), "List only keys with this attribute. May be repeated.");
    private final CliOption<Boolean> everywhere =
            CliOption.flag(spec(), "List all namespaces, even if one is configured.", "-A", "--all-namespaces");
    private final CliOption<Boolean> watch =
            CliOption.flag(spec(), "Refresh every second, until Ctrl-C.", "-w", "--watch");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public LsCommand() {
        super("ls", "[PREFIX]", "List keys with their holder, age and remaining time.");
        describe("Without --namespace, lists the keys of all namespaces as NAMESPACE/NAME.");
        examples("holdfast ls --watch", "holdfast ls --status done invoices/", "holdfast ls --attr host=web-3 --json");
        onDynamo("Scan", "GetItem", "BatchGetItem");
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        try (Leases leases = commandContext.open()) {
            if (watch.or(false)) {
                new WatchLoop(commandContext, LeaseService.of(leases).environment()).run(() -> lines(commandContext, leases));
            } else if (json.or(false)) {
                printJson(commandContext, leases);
            } else {
                printTable(commandContext, leases);
            }
        }
        return ExitCode.OK;
    }

    private void printTable(CommandContext commandContext, Leases leases) {
        List<LeaseStatus> found = found(commandContext, leases);
        if (found.isEmpty()) {
            commandContext.console().note(nothing());
            return;
        }
        // Nothing is cut in a pipe, which has no width.
        int width = commandContext.console().terminal().isOut()
                ? commandContext.console().width()
                : Integer.MAX_VALUE;
        table(commandContext, leases, found, width)
                .forEach(commandContext.console().out()::println);
        if (found.size() == ROWS) {
            commandContext.console().note("only " + ROWS + " keys are shown, not the first by name; --json shows all");
        }
    }

    private String nothing() {
        String status = state.or("held");
        return status.equals("all")
                ? "no matching keys"
                : "no matching keys are " + status + "; --status all lists keys of every status";
    }

    private static List<String> table(
            CommandContext commandContext, Leases leases, List<LeaseStatus> found, int width) {
        return new StatusColumns(found, LeaseService.of(leases).environment().now())
                .lines(width, commandContext.console().isColourful());
    }

    /** The lines of one refresh of {@code --watch}. */
    private List<String> lines(CommandContext commandContext, Leases leases) {
        if (json.or(false)) {
            JsonWriter array = new JsonWriter().beginArray();
            found(commandContext, leases).forEach(status -> LeaseStatusJson.write(array, status));
            return List.of(array.endArray().toString());
        }
        return table(
                commandContext,
                leases,
                found(commandContext, leases),
                commandContext.console().width());
    }

    private List<LeaseStatus> found(CommandContext commandContext, Leases leases) {
        try (Stream<LeaseStatus> statuses = statuses(commandContext, leases)) {
            List<LeaseStatus> found = statuses.limit(ROWS).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            // Stores list keys in the order that is cheapest for them.
            found.sort((one, other) -> one.key().compareTo(other.key()));
            return found;
        }
    }

    /** Prints one key per line, while the keys are read. */
    private void printJson(CommandContext commandContext, Leases leases) {
        PrintStream out = commandContext.console().out();
        try (Stream<LeaseStatus> statuses = statuses(commandContext, leases)) {
            Iterator<LeaseStatus> each = statuses.iterator();
            out.print("[");
            String separator = "\n";
            while (each.hasNext()) {
                JsonWriter one = new JsonWriter();
                LeaseStatusJson.write(one, each.next());
                out.print(separator + one);
                separator = ",\n";
            }
            out.println("\n]");
        }
    }

    private Stream<LeaseStatus> statuses(CommandContext commandContext, Leases leases) {
        boolean all = everywhere.or(false) || !commandContext.settings().hasNamespace();
        String namespace = all ? "" : commandContext.settings().namespace();
        String beginning = prefix.or("");
        return leases.list(filter(namespace))
                .filter(status -> all
                        ? !status.key().isReserved()
                        : status.key().namespace().equals(namespace))
                .filter(status -> status.key().name().startsWith(beginning))
                .filter(attributes::matches);
    }

    private LeaseFilter filter(String namespace) {
        LeaseFilter filter = LeaseFilter.namespacePrefix(namespace);
        String status = state.or("held");
        if (!status.equals("all")) {
            filter = filter.state(LeaseState.valueOf(status.toUpperCase(Locale.ROOT)));
        }
        String name = holder.get();
        return name == null ? filter : filter.holder(Holder.of(name));
    }
}
