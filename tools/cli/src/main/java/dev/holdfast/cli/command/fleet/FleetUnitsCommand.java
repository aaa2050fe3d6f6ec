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

/** {@code fleet units}: creates, deletes, reopens and lists the units of a fleet. */
final class FleetUnitsCommand extends CliCommand {
    private static final List<String> VERBS = List.of("add", "rm", "reopen", "ls");
    private static final List<String> STATES = List.of("held", "free", "done", "all");
    private static final String STDIN = "-";

    private final CliOption<String> fleet = KeyArguments.fleet(spec());
    private final CliOption<String> verb = CliOption.word(spec(), 1, VERBS, "Create, delete, reopen or list units.");
    private final CliOption<List<String>> names =
            CliOption.rest(spec(), 2, "UNIT", "Names of units. Use - to read them from stdin, one per line.", false);
    private final AttributeOption attributes =
            new AttributeOption(spec(), "add: set an attribute of the units. May be repeated.");
    private final CliOption<BigDecimal> weight =
            WeightOption.option(spec(), "add: the weight of each unit, used with --by-weight.");
    private final CliOption<List<String>> after = CliOption.texts(
            spec(), "UNIT", "add: assign the units only after this existing unit is done. May be repeated.", "--after");
    private final CliOption<String> state =
            CliOption.choice(spec(), STATES, "ls: list only units with this status. Default: all.", "--status");
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    FleetUnitsCommand() {
        super("units", "NAME add|rm|reopen|ls [UNIT...]", "Create, delete, reopen and list the units of a fleet.");
        describe("Adding the first unit creates the fleet. Adding an existing unit does not change it. A unit that is"
                + " assigned to a worker is deleted when the worker has stopped working on it.");
        examples(
                "holdfast fleet units orders add shard-0 shard-1 --attr topic=orders",
                "seq -f shard-%g 0 3999 | holdfast fleet units orders add -",
                "holdfast fleet units orders add merge --after shard-0 --after shard-1",
                "holdfast fleet units orders ls --status free");
    }

    @Override
    public int run(CommandContext commandContext) {
        List<String> given = names.or(List.of());
        String action = verb.or("");
        if (action.equals("ls") != given.isEmpty()) {
            throw CommandFailure.usage(
                    action.equals("ls")
                            ? "ls takes no units (expected: none)"
                            : "no units (expected: at least one, or -)");
        }
        FleetAccess access = FleetAccess.of(commandContext);
        access.requirePlanner(weight.isGiven(), "--weight");
        access.requirePlanner(after.isGiven(), "--after");
        List<String> units = given.equals(List.of(STDIN)) ? lines() : given;
        try (Leases leases = commandContext.openToHold()) {
            Units of = access.units(leases, fleet.or(""));
            switch (action) {
                case "add" -> add(commandContext, of, units);
                case "rm" -> each(commandContext, units, of::delete, "does not exist; nothing to delete");
                case "reopen" -> each(commandContext, units, of::reopen, "is not done; nothing to reopen");
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
        commandContext.console().note(created + " created, " + (units.size() - created) + " already existed");
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
            Stream<UnitStatus> found = all.filter(this::isRequested);
            if (json.or(false)) {
                UnitListText.json(found, commandContext.console().out());
            } else {
                UnitListText.table(found, commandContext.console());
            }
        }
    }

    private boolean isRequested(UnitStatus unit) {
        String requested = state.or("all");
        return requested.equals("all")
                || unit.state().name().toLowerCase(Locale.ROOT).equals(requested);
    }
}
