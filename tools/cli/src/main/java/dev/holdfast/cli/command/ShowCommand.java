package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.LeaseStatusJson;
import dev.holdfast.cli.output.LeaseStatusText;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import java.util.Optional;

/** {@code show}: shows one key. */
public final class ShowCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public ShowCommand() {
        super("show", "NAME", "Show the state of one key.");
        describe("A key that was never leased is shown as free. The token is not shown, because it is the permission to"
                + " release the lease.");
        examples("holdfast show deploy", "holdfast show deploy --json | jq -r .state");
        onDynamo("GetItem");
    }

    @Override
    public int run(CommandContext commandContext) {
        Key key = commandContext.key(name.or(""));
        try (Leases leases = commandContext.open()) {
            Optional<LeaseStatus> found = leases.get(key);
            if (json.or(false)) {
                commandContext
                        .console()
                        .out()
                        .println(found.map(ShowCommand::json).orElseGet(() -> neverLeased(key)));
            } else {
                new LeaseStatusText(LeaseService.of(leases).environment().now())
                        .lines(key, found.orElse(null))
                        .forEach(commandContext.console().out()::println);
            }
        }
        return ExitCode.OK;
    }

    private static String json(LeaseStatus status) {
        JsonWriter jsonWriter = new JsonWriter();
        LeaseStatusJson.write(jsonWriter, status);
        return jsonWriter.toString();
    }

    private static String neverLeased(Key key) {
        JsonWriter jsonWriter = new JsonWriter().beginObject();
        LeaseStatusJson.key(jsonWriter, key);
        jsonWriter
                .field("state", "free")
                .field("expired", false)
                .field("fence", 0)
                .field("grants", 0);
        return jsonWriter
                .field("holder", null)
                .duration("remaining", Duration.ZERO)
                .endObject()
                .toString();
    }
}
