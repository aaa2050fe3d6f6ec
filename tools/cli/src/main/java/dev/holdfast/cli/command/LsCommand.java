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
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Lists keys. */
public final class LsCommand extends CliCommand {
    private static final List<String> STATES = List.of("held", "free", "done", "all");

    /** More rows than anybody reads; a table is kept in memory to be laid out. JSON is not, and has no such limit. */
    private static final int ROWS = 10_000;

    private final CliOption<String> prefix = CliOption.optional(spec(), 0, "PREFIX", "Only names that begin so.");
    private final CliOption<String> state =
            CliOption.choice(spec(), STATES, "Only keys that stand so; held unless said.", "--status");
    private final CliOption<String> holder =
            CliOption.text(spec(), "TEXT", "Only keys of this holder, or last holder.", "--holder");
    private final AttributeOption attributes =
            new AttributeOption(spec(), "Only keys with this attribute. May be repeated.");
    private final CliOption<Boolean> everywhere =
            CliOption.flag(spec(), "In all namespaces, even if one is configured.", "-A", "--all-namespaces");
    private final CliOption<Boolean> watch =
            CliOption.flag(spec(), "Show it anew every second, until Ctrl-C.", "-w", "--watch");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public LsCommand() {
        super("ls", "[PREFIX]", "List keys: who holds what, since when, for how long.");
        describe("Without --namespace, those of all namespaces, shown as NAMESPACE/NAME.");
        examples("holdfast ls --watch", "holdfast ls --status done invoices/", "holdfast ls --attr host=web-3 --json");
        onDynamo("Scan", "GetItem", "BatchGetItem");
    }

    @Override
    public int run(CommandContext commandContext) throws InterruptedException {
        try (Leases leases = commandContext.open()) {
            if (watch.or(false)) {
                new WatchLoop(commandContext, leases.runtime()).run(() -> lines(commandContext, leases));
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
        // Piped, nothing is cut: whoever reads it there has all the width.
        int width = commandContext.console().terminal().isOut()
                ? commandContext.console().width()
                : Integer.MAX_VALUE;
        table(commandContext, leases, found, width)
                .forEach(commandContext.console().out()::println);
        if (found.size() == ROWS) {
            commandContext.console().note("only " + ROWS + " are shown, not the first by name; --json shows all");
        }
    }

    private String nothing() {
        String status = state.or("held");
        return status.equals("all")
                ? "no such keys"
                : "no such keys are " + status + "; --status all shows others, too";
    }

    private static List<String> table(
            CommandContext commandContext, Leases leases, List<LeaseStatus> found, int width) {
        return new StatusColumns(found, leases.runtime().now())
                .lines(width, commandContext.console().isColourful());
    }

    /** What the watch shows. */
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
            // Stores list in the order that costs them least.
            found.sort((one, other) -> one.key().compareTo(other.key()));
            return found;
        }
    }

    /** One key per line, written as they are read. */
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
        String who = holder.get();
        return who == null ? filter : filter.holder(Holder.of(who));
    }
}
