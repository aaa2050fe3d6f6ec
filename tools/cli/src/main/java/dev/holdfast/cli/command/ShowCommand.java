package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.output.LeaseStatusJson;
import dev.holdfast.cli.output.LeaseStatusText;
import java.time.Instant;
import java.util.Optional;

/** {@code show}: shows one key. */
public final class ShowCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public ShowCommand() {
        super("show", "NAME", "Show the state of one key.");
        describe(
                "A key that was never leased is shown as free. The token is not shown, because it is the permission to"
                        + " release the lease.",
                "The history is the last grants that have ended, newest first. An expired grant ended by the time that is"
                        + " shown, when the next one was made. Grants that an older version ended are not recorded.");
        examples("holdfast show deploy", "holdfast show deploy --json | jq -r .state");
        onDynamo("GetItem");
    }

    @Override
    public int run(CommandContext context) {
        Key key = context.key(name);
        try (Leases leases = context.open()) {
            Optional<LeaseStatus> found = leases.get(key);
            if (json.or(false)) {
                context.console()
                        .print(found.map(LeaseStatusJson::withHistory)
                                .orElseGet(() -> LeaseStatusJson.neverLeased(key)));
            } else {
                new LeaseStatusText(Instant.now())
                        .lines(key, found.orElse(null))
                        .forEach(context.console()::print);
            }
        }
        return ExitCode.OK;
    }
}
