package dev.holdfast.cli.command;

import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.StatusJson;
import dev.holdfast.cli.output.StatusText;
import dev.holdfast.model.Key;
import java.time.Duration;
import java.util.Optional;

/** Shows one entry. */
public final class ShowCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final Option<Boolean> json = Names.json(spec());

    public ShowCommand() {
        super("show", "NAME", "Show all that is known of one key.");
        describe("A key that was never leased is free. The token is not shown: who has it can release the lease.");
        examples("holdfast show deploy", "holdfast show deploy --json | jq -r .state");
        onDynamo("GetItem");
    }

    @Override
    public int run(Context context) {
        Key key = context.key(name.or(""));
        try (Leases leases = context.open()) {
            Optional<LeaseStatus> found = leases.get(key);
            if (json.or(false)) {
                context.console().out().println(found.map(ShowCommand::json).orElseGet(() -> neverLeased(key)));
            } else {
                new StatusText(leases.runtime().now())
                        .lines(key, found.orElse(null))
                        .forEach(context.console().out()::println);
            }
        }
        return ExitCode.OK;
    }

    private static String json(LeaseStatus status) {
        Json json = new Json();
        StatusJson.write(json, status);
        return json.toString();
    }

    private static String neverLeased(Key key) {
        Json json = new Json().beginObject();
        StatusJson.key(json, key);
        json.field("state", "free").field("expired", false).field("fence", 0).field("grants", 0);
        return json.field("holder", null)
                .duration("remaining", Duration.ZERO)
                .endObject()
                .toString();
    }
}
