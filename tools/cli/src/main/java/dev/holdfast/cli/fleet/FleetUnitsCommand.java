package dev.holdfast.cli.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.Leases;
import dev.holdfast.cli.command.AttributeOption;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
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
    private static final String REQUIRE = "--require";
    private static final String PREFER = "--prefer";

    private final CommandOption<String> fleet = FleetCommand.nameArgument(spec());
    private final CommandOption<String> verb =
            CommandOption.word(spec(), 1, VERBS, "Create, delete, reopen or list units.");
    private final CommandOption<List<String>> names = CommandOption.rest(
            spec(), 2, "UNIT", "Names of units. Use - to read them from stdin, one per line.", false);
    private final AttributeOption attributes =
            new AttributeOption(spec(), "add: set an attribute of the units. May be repeated.");
    private final CommandOption<BigDecimal> weight = CommandOption.of(
            spec(),
            BigDecimal.class,
            FleetUnitsCommand::parseWeight,
            "N",
            "add: the weight of each unit, used with --by-weight.",
            "--weight");
    private final CommandOption<List<String>> after = CommandOption.texts(
            spec(), "UNIT", "add: assign the units only after this existing unit is done. May be repeated.", "--after");
    private final CommandOption<List<String>> require = CommandOption.texts(
            spec(),
            "LABEL=VALUE",
            "add: assign the units only to workers with this label. May be repeated: the same label accepts each of the"
                    + " values, different labels are all required.",
            REQUIRE);
    private final CommandOption<List<String>> prefer =
            CommandOption.texts(spec(), "LABEL=VALUE", "add: as --require, but only as far as balance allows.", PREFER);
    private final CommandOption<String> group = CommandOption.text(
            spec(), "TEXT", "add: the group of the units, used with --spread. Default: one group for all.", "--group");
    private final CommandOption<String> state =
            CommandOption.choice(spec(), STATES, "ls: list only units with this status. Default: all.", "--status");
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    FleetUnitsCommand() {
        super(
                "fleet units",
                "NAME add|rm|reopen|ls [UNIT...]",
                "Create, delete, reopen and list the units of a fleet.");
        describe("Adding the first unit creates the fleet. Adding an existing unit does not change it. A unit that is"
                + " assigned to a worker is deleted when the worker has stopped working on it.");
        examples(
                "holdfast fleet units orders add shard-0 shard-1 --attr topic=orders",
                "seq -f shard-%g 0 3999 | holdfast fleet units orders add -",
                "holdfast fleet units orders add merge --after shard-0 --after shard-1",
                "holdfast fleet units orders add shard-9 --require zone=a --prefer disk=ssd",
                "holdfast fleet units orders ls --status free");
    }

    @Override
    public int run(CommandContext context) {
        List<String> given = names.or(List.of());
        String action = verb.or("");
        if (action.equals("ls") != given.isEmpty()) {
            throw CommandFailure.usage(
                    action.equals("ls")
                            ? "ls takes no units (expected: none)"
                            : "no units (expected: at least one, or -)");
        }
        FleetAccess access = new FleetAccess(context.settings().store());
        access.requirePlanner(weight.isGiven(), "--weight");
        access.requirePlanner(after.isGiven(), "--after");
        access.requirePlanner(require.isGiven(), REQUIRE);
        access.requirePlanner(prefer.isGiven(), PREFER);
        access.requirePlanner(group.isGiven(), "--group");
        List<String> units = given.equals(List.of(STDIN)) ? lines() : given;
        try (Leases leases = context.openToHold()) {
            Units of = access.units(leases, fleet.or(""));
            switch (action) {
                case "add" -> add(context, of, units);
                case "rm" -> each(context, units, of::delete, "does not exist; nothing to delete");
                case "reopen" -> each(context, units, of::reopen, "is not done; nothing to reopen");
                default -> list(context, of);
            }
        }
        return ExitCode.OK;
    }

    private static BigDecimal parseWeight(String text) {
        try {
            BigDecimal weight = new BigDecimal(text);
            if (weight.signum() > 0) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // Rejected below.
        }
        throw CommandOption.invalid(text, "a number > 0");
    }

    private static List<String> lines() {
        return new BufferedReader(new InputStreamReader(System.in, UTF_8))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private void add(CommandContext context, Units of, List<String> units) {
        Attributes put = attributes.toAttributes();
        if (weight.isGiven()) {
            put = put.with("weight", AttributeValue.of(weight.or(BigDecimal.ONE)));
        }
        if (after.isGiven()) {
            List<AttributeValue> before =
                    after.or(List.of()).stream().map(AttributeValue::of).toList();
            put = put.with("after", new AttributeValue.ListOf(before));
        }
        if (require.isGiven()) {
            put = put.with("require", LabelPairs.conditions(REQUIRE, require.or(List.of())));
        }
        if (prefer.isGiven()) {
            put = put.with("prefer", LabelPairs.conditions(PREFER, prefer.or(List.of())));
        }
        if (group.isGiven()) {
            put = put.with("group", AttributeValue.of(group.or("")));
        }
        int created = of.create(units, put);
        context.console().note(created + " created, " + (units.size() - created) + " already existed");
    }

    private static void each(CommandContext context, List<String> units, Predicate<String> act, String otherwise) {
        for (String unit : units) {
            if (!act.test(unit)) {
                context.console().note("'" + VisibleText.shortened(unit) + "' " + otherwise);
            }
        }
    }

    private void list(CommandContext context, Units of) {
        try (Stream<UnitStatus> all = of.list()) {
            Stream<UnitStatus> found = all.filter(this::isRequested);
            if (json.or(false)) {
                UnitListText.json(found, context.console().out());
            } else {
                UnitListText.table(found, context.console());
            }
        }
    }

    private boolean isRequested(UnitStatus unit) {
        String requested = state.or("all");
        return requested.equals("all")
                || unit.state().name().toLowerCase(Locale.ROOT).equals(requested);
    }
}
