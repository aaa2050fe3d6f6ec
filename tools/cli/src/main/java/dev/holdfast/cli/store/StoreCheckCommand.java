package dev.holdfast.cli.store;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.config.StoreOpener;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.store.StoreSetup;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** {@code store check}: checks the store for problems that could break a guarantee of Holdfast. */
final class StoreCheckCommand extends CliCommand {
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    StoreCheckCommand() {
        super("store check", "", "Check the store: connection, version, durability, difference of clocks.");
        describe("Changes nothing. Exit code 1 if a check fails; warnings are not errors.");
        onDynamo("DescribeTable", "DescribeTimeToLive", "GetItem");
    }

    @Override
    public int run(CommandContext context) {
        List<StoreSetup.Finding> findings = findings(context);
        boolean works = findings.stream().noneMatch(it -> it.level() == StoreSetup.Level.ERROR);
        if (json.or(false)) {
            context.console().print(json(context, findings));
        } else {
            for (StoreSetup.Finding finding : findings) {
                String level = finding.level().name().toLowerCase(Locale.ROOT);
                context.console()
                        .print(" ".repeat(7 - level.length()) + level + "  "
                                + context.console().shown(finding.what()));
            }
        }
        return works ? ExitCode.OK : ExitCode.ERROR;
    }

    private static List<StoreSetup.Finding> findings(CommandContext context) {
        String url = context.settings().store();
        boolean server = StoreOpener.isServer(url);
        if (!server && StoreOpener.provider(url) instanceof StoreSetup setup) {
            return setup.check(url, Instant::now);
        }
        try (Leases leases = context.open()) {
            leases.get(Key.of("holdfast-store-check"));
            return List.of(StoreSetup.Finding.ok(
                    server
                            ? "the server and its store respond; to check the store itself, run this on the server's host"
                            : "the store opens and responds; there are no further checks for this kind of store"));
        }
    }

    private static String json(CommandContext context, List<StoreSetup.Finding> findings) {
        JsonWriter json = new JsonWriter().beginArray();
        for (StoreSetup.Finding finding : findings) {
            json.beginObject()
                    .field("level", finding.level().name().toLowerCase(Locale.ROOT))
                    .field("what", context.console().shown(finding.what()))
                    .endObject();
        }
        return json.endArray().toString();
    }
}
