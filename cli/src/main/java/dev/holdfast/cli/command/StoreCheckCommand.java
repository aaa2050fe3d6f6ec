package dev.holdfast.cli.command;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Visible;
import dev.holdfast.cli.store.Stores;
import dev.holdfast.model.Key;
import dev.holdfast.spi.StoreSetup;
import dev.holdfast.spi.StoreSetup.Finding;
import dev.holdfast.spi.StoreSetup.Level;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Looks at the store for what could break a promise. */
final class StoreCheckCommand extends Command {
    private final Option<Boolean> json = Names.json(spec());

    StoreCheckCommand() {
        super("check", "", "Is the store reachable, of the right version, durable; how far is its clock?");
        describe("Changes nothing. Exit code 1 if something does not work; a warning is no error.");
        onDynamo("DescribeTable", "DescribeTimeToLive", "GetItem");
    }

    @Override
    public int run(Context context) {
        List<Finding> findings = findings(context);
        boolean works = findings.stream().noneMatch(it -> it.level() == Level.ERROR);
        if (json.or(false)) {
            context.console().out().println(json(context, findings));
        } else {
            for (Finding finding : findings) {
                String level = finding.level().name().toLowerCase(Locale.ROOT);
                context.console()
                        .out()
                        .println(" ".repeat(7 - level.length()) + level + "  " + shown(context, finding));
            }
        }
        return works ? ExitCode.OK : ExitCode.ERROR;
    }

    private static List<Finding> findings(Context context) {
        String url = context.settings().store();
        boolean server = Stores.isServer(url);
        if (!server && Stores.provider(url) instanceof StoreSetup setup) {
            return setup.check(url, Instant::now);
        }
        try (Leases leases = context.open()) {
            leases.get(Key.of("holdfast-store-check"));
            return List.of(Finding.ok(
                    server
                            ? "the server answers, and so does its store; check the store itself where the server runs"
                            : "the store opens and answers; more is not known of its kind"));
        }
    }

    private static String shown(Context context, Finding finding) {
        return Visible.line(context.console().withoutSecrets(finding.what()));
    }

    private static String json(Context context, List<Finding> findings) {
        Json json = new Json().beginArray();
        for (Finding finding : findings) {
            json.beginObject()
                    .field("level", finding.level().name().toLowerCase(Locale.ROOT))
                    .field("what", shown(context, finding))
                    .endObject();
        }
        return json.endArray().toString();
    }
}
