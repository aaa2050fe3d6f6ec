package dev.holdfast.cli.command;

import dev.holdfast.Holder;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.output.LeaseStatusJson;
import dev.holdfast.cli.output.LeaseStatusText;
import dev.holdfast.cli.output.WatchLoop;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code ls}: lists keys. */
public final class LsCommand extends CliCommand {
    private static final List<String> STATES = List.of("held", "free", "done", "all");

    /**
     * More rows than a person reads. The limit is needed because the layout keeps the whole table in memory. JSON is
     * written row by row and has no limit.
     */
    private static final int ROWS = 10_000;

    private final CommandOption<String> prefix =
            CommandOption.optional(spec(), 0, "PREFIX", "List only names with this prefix.");
    private final CommandOption<String> state =
            CommandOption.choice(spec(), STATES, "List only keys with this status. Default: held.", "--status");
    private final CommandOption<String> holder =
            CommandOption.text(spec(), "TEXT", "List only keys with this current or last holder.", "--holder");
    private final AttributeOption attributes =
            new AttributeOption(spec(), "List only keys with this attribute. May be repeated.");
    private final CommandOption<Boolean> everywhere =
            CommandOption.flag(spec(), "List all namespaces, even if one is configured.", "-A", "--all-namespaces");
    private final CommandOption<Boolean> watch =
            CommandOption.flag(spec(), "Refresh every second, until Ctrl-C.", "-w", "--watch");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public LsCommand() {
        super("ls", "[PREFIX]", "List keys with their holder, age and remaining time.");
        describe("Without --namespace, lists the keys of all namespaces as NAMESPACE/NAME.");
        examples("holdfast ls --watch", "holdfast ls --status done invoices/", "holdfast ls --attr host=web-3 --json");
        onDynamo("Scan", "GetItem", "BatchGetItem");
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        try (Leases leases = context.open()) {
            if (watch.or(false)) {
                new WatchLoop(context.console(), leases).run(() -> lines(context, leases));
            } else if (json.or(false)) {
                printJson(context, leases);
            } else {
                printTable(context, leases);
            }
        }
        return ExitCode.OK;
    }

    private void printTable(CommandContext context, Leases leases) {
        List<LeaseStatus> found = found(context, leases);
        if (found.isEmpty()) {
            context.console().note(nothing());
            return;
        }
        int width = context.console().resultWidth();
        table(context, found, width).forEach(context.console()::print);
        if (found.size() == ROWS) {
            context.console().note("only " + ROWS + " keys are shown, not the first by name; --json shows all");
        }
    }

    private String nothing() {
        String status = state.or("held");
        return status.equals("all")
                ? "no matching keys"
                : "no matching keys are " + status + "; --status all lists keys of every status";
    }

    private static List<String> table(CommandContext context, List<LeaseStatus> found, int width) {
        boolean colourful = context.console().isColourful();
        return new LeaseStatusText(Instant.now()).table(found, width, colourful);
    }

    /** The lines of one refresh of {@code --watch}. */
    private List<String> lines(CommandContext context, Leases leases) {
        List<LeaseStatus> found = found(context, leases);
        return json.or(false)
                ? List.of(found.stream().map(LeaseStatusJson::of).collect(Collectors.joining(",", "[", "]")))
                : table(context, found, context.console().width());
    }

    private List<LeaseStatus> found(CommandContext context, Leases leases) {
        try (Stream<LeaseStatus> statuses = statuses(context, leases)) {
            List<LeaseStatus> found = statuses.limit(ROWS).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
            // Stores list keys in the order that is cheapest for them.
            found.sort((one, other) -> one.key().compareTo(other.key()));
            return found;
        }
    }

    /** Prints one key per line, while the keys are read. */
    private void printJson(CommandContext context, Leases leases) {
        PrintStream out = context.console().out();
        try (Stream<LeaseStatus> statuses = statuses(context, leases)) {
            Iterator<LeaseStatus> each = statuses.iterator();
            out.print("[");
            String separator = "\n";
            while (each.hasNext()) {
                out.print(separator + LeaseStatusJson.of(each.next()));
                separator = ",\n";
            }
            out.println("\n]");
        }
    }

    private Stream<LeaseStatus> statuses(CommandContext context, Leases leases) {
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
            filter = filter.state(LeaseState.valueOf(status.toUpperCase(Locale.ROOT)));
        }
        String name = holder.get();
        return name == null ? filter : filter.holder(Holder.of(name));
    }
}
