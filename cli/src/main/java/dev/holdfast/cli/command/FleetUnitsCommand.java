package dev.holdfast.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.option.Weight;
import dev.holdfast.cli.output.UnitList;
import dev.holdfast.cli.output.Visible;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.fleet.Units;
import dev.holdfast.model.AttributeValue;
import dev.holdfast.model.Attributes;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Changes and lists the units of a fleet. */
final class FleetUnitsCommand extends Command {
    private static final List<String> VERBS = List.of("add", "rm", "reopen", "ls");
    private static final List<String> STATES = List.of("held", "free", "done", "all");
    private static final String STDIN = "-";

    private final Option<String> fleet = Names.fleet(spec());
    private final Option<String> verb =
            Option.word(spec(), 1, VERBS, "Create units, delete them, undo that they are done, or list them.");
    private final Option<List<String>> names =
            Option.rest(spec(), 2, "UNIT", "Names of units; - reads them from stdin, a line each.", false);
    private final AttributeOption attributes =
            new AttributeOption(spec(), "add: put an attribute on the units. May be repeated.");
    private final Option<BigDecimal> weight =
            Weight.option(spec(), "add: how heavy each is, for those who plan by weight.");
    private final Option<List<String>> after = Option.texts(
            spec(),
            "UNIT",
            "add: worked on only when this unit, which must be there, is done. May be repeated.",
            "--after");
    private final Option<String> state =
            Option.choice(spec(), STATES, "ls: only units that stand so; all unless said.", "--status");
    private final Option<Boolean> json = Names.json(spec());

    FleetUnitsCommand() {
        super("units", "NAME add|rm|reopen|ls [UNIT...]", "Create, delete and list the units of a fleet.");
        describe("Units that are there already stay as they are. One that a worker has is deleted when that worker has"
                + " stopped. A fleet needs no more than this to exist.");
        examples(
                "holdfast fleet units orders add shard-0 shard-1 --attr topic=orders",
                "seq -f shard-%g 0 3999 | holdfast fleet units orders add -",
                "holdfast fleet units orders add merge --after shard-0 --after shard-1",
                "holdfast fleet units orders ls --status free");
    }

    @Override
    public int run(Context context) {
        List<String> said = names.or(List.of());
        String what = verb.or("");
        if (what.equals("ls") != said.isEmpty()) {
            throw CommandFailure.usage(
                    what.equals("ls")
                            ? "ls takes no units (expected: none)"
                            : "no units (expected: at least one, or -)");
        }
        FleetAccess access = FleetAccess.of(context);
        access.requirePlanner(weight.isGiven(), "--weight");
        access.requirePlanner(after.isGiven(), "--after");
        List<String> units = said.equals(List.of(STDIN)) ? lines() : said;
        try (Leases leases = context.openToHold()) {
            Units of = access.units(leases, fleet.or(""));
            switch (what) {
                case "add" -> add(context, of, units);
                case "rm" -> each(context, units, of::delete, "is not there; nothing to delete");
                case "reopen" -> each(context, units, of::reopen, "is not done");
                default -> list(context, of);
            }
        }
        return ExitCode.OK;
    }

    private static List<String> lines() {
        return new BufferedReader(new InputStreamReader(System.in, UTF_8))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private void add(Context context, Units of, List<String> units) {
        Attributes put = attributes.toAttributes();
        if (weight.isGiven()) {
            put = put.with("weight", AttributeValue.of(weight.or(BigDecimal.ONE)));
        }
        if (after.isGiven()) {
            List<AttributeValue> before =
                    after.or(List.of()).stream().map(AttributeValue::of).toList();
            put = put.with("after", new AttributeValue.ListOf(before));
        }
        int created = of.create(units, put);
        context.console().note(created + " created, " + (units.size() - created) + " were there");
    }

    private static void each(Context context, List<String> units, Predicate<String> act, String otherwise) {
        for (String unit : units) {
            if (!act.test(unit)) {
                context.console().note("'" + Visible.shortened(unit) + "' " + otherwise);
            }
        }
    }

    private void list(Context context, Units of) {
        try (Stream<UnitStatus> all = of.list()) {
            Stream<UnitStatus> found = all.filter(this::isAskedFor);
            if (json.or(false)) {
                UnitList.json(found, context.console().out());
            } else {
                UnitList.table(found, context.console());
            }
        }
    }

    private boolean isAskedFor(UnitStatus unit) {
        String asked = state.or("all");
        return asked.equals("all")
                || unit.state().name().toLowerCase(Locale.ROOT).equals(asked);
    }
}
