package dev.holdfast.cli.command;

import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.StatusJson;
import dev.holdfast.cli.output.StatusTable;
import dev.holdfast.model.Holder;
import dev.holdfast.model.State;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Lists keys. */
public final class LsCommand extends Command {
    private static final List<String> STATES = List.of("held", "free", "done", "all");

    /** More rows than anybody reads; a table is kept in memory to be laid out. JSON is not, and has no such limit. */
    private static final int ROWS = 10_000;

    private final Option<String> prefix = Option.optional(spec(), 0, "PREFIX", "Only names that begin so.");
    private final Option<String> state =
            Option.choice(spec(), STATES, "Only keys that stand so; held unless said.", "--status");
    private final Option<String> holder =
            Option.text(spec(), "TEXT", "Only keys of this holder, or last holder.", "--holder");
    private final AttributeOption attributes =
            new AttributeOption(spec(), "Only keys with this attribute. May be repeated.");
    private final Option<Boolean> everywhere =
            Option.flag(spec(), "In all namespaces, even if one is configured.", "-A", "--all-namespaces");
    private final Option<Boolean> watch =
            Option.flag(spec(), "Show it anew every second, until Ctrl-C.", "-w", "--watch");
    private final Option<Boolean> json = Names.json(spec());

    public LsCommand() {
        super("ls", "[PREFIX]", "List keys: who holds what, since when, for how long.");
        describe("Without --namespace, those of all namespaces, shown as NAMESPACE/NAME.");
        examples("holdfast ls --watch", "holdfast ls --status done invoices/", "holdfast ls --attr host=web-3 --json");
        onDynamo("Scan", "GetItem", "BatchGetItem");
    }

    @Override
    public int run(Context context) throws InterruptedException {
        try (Leases leases = context.open()) {
            if (watch.or(false)) {
                new WatchLoop(context, leases.runtime()).run(() -> lines(context, leases));
            } else if (json.or(false)) {
                printJson(context, leases);
            } else {
                printTable(context, leases);
            }
        }
        return ExitCode.OK;
    }

    private void printTable(Context context, Leases leases) {
        List<LeaseStatus> found = found(context, leases);
        if (found.isEmpty()) {
            context.console().note(nothing());
            return;
        }
        // Piped, nothing is cut: whoever reads it there has all the width.
        int width = context.console().terminal().isOut() ? context.console().width() : Integer.MAX_VALUE;
        table(context, leases, found, width).forEach(context.console().out()::println);
        if (found.size() == ROWS) {
            context.console().note("only " + ROWS + " are shown, not the first by name; --json shows all");
        }
    }

    private String nothing() {
        String status = state.or("held");
        return status.equals("all")
                ? "no such keys"
                : "no such keys are " + status + "; --status all shows others, too";
    }

    private static List<String> table(Context context, Leases leases, List<LeaseStatus> found, int width) {
        return new StatusTable(found, leases.runtime().now())
                .lines(width, context.console().isColourful());
    }

    /** What the watch shows. */
    private List<String> lines(Context context, Leases leases) {
        if (json.or(false)) {
            Json array = new Json().beginArray();
            found(context, leases).forEach(status -> StatusJson.write(array, status));
            return List.of(array.endArray().toString());
        }
        return table(context, leases, found(context, leases), context.console().width());
    }

    private List<LeaseStatus> found(Context context, Leases leases) {
        try (Stream<LeaseStatus> statuses = statuses(context, leases)) {
            List<LeaseStatus> found = statuses.limit(ROWS).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            // Stores list in the order that costs them least.
            found.sort((one, other) -> one.key().compareTo(other.key()));
            return found;
        }
    }

    /** One key per line, written as they are read. */
    private void printJson(Context context, Leases leases) {
        PrintStream out = context.console().out();
        try (Stream<LeaseStatus> statuses = statuses(context, leases)) {
            Iterator<LeaseStatus> each = statuses.iterator();
            out.print("[");
            String separator = "\n";
            while (each.hasNext()) {
                Json one = new Json();
                StatusJson.write(one, each.next());
                out.print(separator + one);
                separator = ",\n";
            }
            out.println("\n]");
        }
    }

    private Stream<LeaseStatus> statuses(Context context, Leases leases) {
        boolean all = everywhere.or(false) || !context.settings().hasNamespace();
        String namespace = all ? "" : context.settings().namespace();
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
            filter = filter.state(State.valueOf(status.toUpperCase(Locale.ROOT)));
        }
        String who = holder.get();
        return who == null ? filter : filter.holder(Holder.of(who));
    }
}
