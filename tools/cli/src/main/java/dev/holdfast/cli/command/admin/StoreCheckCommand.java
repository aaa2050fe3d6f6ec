package dev.holdfast.cli.command.admin;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.VisibleText;
import dev.holdfast.cli.store.StoreOpener;
import dev.holdfast.store.StoreSetup;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** {@code store check}: checks the store for problems that could break a guarantee of Holdfast. */
final class StoreCheckCommand extends CliCommand {
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    StoreCheckCommand() {
        super("check", "", "Check the store: connection, version, durability, difference of clocks.");
        describe("Changes nothing. Exit code 1 if a check fails; warnings are not errors.");
        onDynamo("DescribeTable", "DescribeTimeToLive", "GetItem");
    }

    @Override
    public int run(CommandContext commandContext) {
        List<Finding> findings = findings(commandContext);
        boolean works = findings.stream().noneMatch(it -> it.level() == Level.ERROR);
        if (json.or(false)) {
            commandContext.console().out().println(json(commandContext, findings));
        } else {
            for (Finding finding : findings) {
                String level = finding.level().name().toLowerCase(Locale.ROOT);
                commandContext
                        .console()
                        .out()
                        .println(" ".repeat(7 - level.length()) + level + "  " + shown(commandContext, finding));
            }
        }
        return works ? ExitCode.OK : ExitCode.ERROR;
    }

    private static List<Finding> findings(CommandContext commandContext) {
        String url = commandContext.settings().store();
        boolean server = StoreOpener.isServer(url);
        if (!server && StoreOpener.provider(url) instanceof StoreSetup setup) {
            return setup.check(url, Instant::now);
        }
        try (Leases leases = commandContext.open()) {
            leases.get(Key.of("holdfast-store-check"));
            return List.of(Finding.ok(
                    server
                            ? "the server and its store respond; to check the store itself, run this on the server's host"
                            : "the store opens and responds; there are no further checks for this kind of store"));
        }
    }

    private static String shown(CommandContext commandContext, Finding finding) {
        return VisibleText.line(commandContext.console().withoutSecrets(finding.what()));
    }

    private static String json(CommandContext commandContext, List<Finding> findings) {
        JsonWriter jsonWriter = new JsonWriter().beginArray();
        for (Finding finding : findings) {
            jsonWriter
                    .beginObject()
                    .field("level", finding.level().name().toLowerCase(Locale.ROOT))
                    .field("what", shown(commandContext, finding))
                    .endObject();
        }
        return jsonWriter.endArray().toString();
    }
}
