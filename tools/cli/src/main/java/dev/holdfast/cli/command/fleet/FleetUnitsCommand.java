package dev.holdfast.cli.command.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.WeightOption;
import dev.holdfast.cli.output.UnitListText;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.fleet.UnitStatus;
import dev.holdfast.fleet.Units;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Changes and lists the units of a fleet. */
final class FleetUnitsCommand extends CliCommand {
    private static final List<String> VERBS = List.of("add", "rm", "reopen", "ls");
    private static final List<String> STATES = List.of("held", "free", "done", "all");
    private static final String STDIN = "-";

    private final CliOption<String> fleet = KeyArguments.fleet(spec());
    private final CliOption<String> verb =
            CliOption.word(spec(), 1, VERBS, "Create units, delete them, undo that they are done, or list them.");
    private final CliOption<List<String>> names =
            CliOption.rest(spec(), 2, "UNIT", "Names of units; - reads them from stdin, a line each.", false);
    private final AttributeOption attributes =
            new AttributeOption(spec(), "add: put an attribute on the units. May be repeated.");
    private final CliOption<BigDecimal> weight =
            WeightOption.option(spec(), "add: how heavy each is, for those who plan by weight.");
    private final CliOption<List<String>> after = CliOption.texts(
            spec(),
            "UNIT",
            "add: worked on only when this unit, which must be there, is done. May be repeated.",
            "--after");
    private final CliOption<String> state =
            CliOption.choice(spec(), STATES, "ls: only units that stand so; all unless said.", "--status");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

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
    public int run(CommandContext commandContext) {
        List<String> said = names.or(List.of());
        String what = verb.or("");
        if (what.equals("ls") != said.isEmpty()) {
            throw CommandFailure.usage(
                    what.equals("ls")
                            ? "ls takes no units (expected: none)"
                            : "no units (expected: at least one, or -)");
        }
        FleetAccess access = FleetAccess.of(commandContext);
        access.requirePlanner(weight.isGiven(), "--weight");
        access.requirePlanner(after.isGiven(), "--after");
        List<String> units = said.equals(List.of(STDIN)) ? lines() : said;
        try (Leases leases = commandContext.openToHold()) {
            Units of = access.units(leases, fleet.or(""));
            switch (what) {
                case "add" -> add(commandContext, of, units);
                case "rm" -> each(commandContext, units, of::delete, "is not there; nothing to delete");
                case "reopen" -> each(commandContext, units, of::reopen, "is not done");
                default -> list(commandContext, of);
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

    private void add(CommandContext commandContext, Units of, List<String> units) {
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
        commandContext.console().note(created + " created, " + (units.size() - created) + " were there");
    }

    private static void each(
            CommandContext commandContext, List<String> units, Predicate<String> act, String otherwise) {
        for (String unit : units) {
            if (!act.test(unit)) {
                commandContext.console().note("'" + VisibleText.shortened(unit) + "' " + otherwise);
            }
        }
    }

    private void list(CommandContext commandContext, Units of) {
        try (Stream<UnitStatus> all = of.list()) {
            Stream<UnitStatus> found = all.filter(this::isAskedFor);
            if (json.or(false)) {
                UnitListText.json(found, commandContext.console().out());
            } else {
                UnitListText.table(found, commandContext.console());
            }
        }
    }

    private boolean isAskedFor(UnitStatus unit) {
        String asked = state.or("all");
        return asked.equals("all")
                || unit.state().name().toLowerCase(Locale.ROOT).equals(asked);
    }
}
