package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.LeaseStatusJson;

/** {@code renew}: begins a new term of the same length. Other clients may have read the length and rely on it. */
public final class RenewCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final CliOption<String> token = KeyArguments.token(spec());
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public RenewCommand() {
        super("renew", "NAME TOKEN", "Renew a lease: a new term of the same length begins now.");
        describe("Prints the token, which changes only in the layout of awsflock. Exit code 3 if the lease is no longer"
                + " yours.");
        examples("holdfast renew nightly \"$token\" || exit");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) {
        Key key = commandContext.key(name.or(""));
        Token proof = KeyArguments.token(token);
        try (Leases leases = commandContext.open()) {
            RenewResult renewed = leases.renew(key, proof);
            if (json.or(false)) {
                JsonWriter out = new JsonWriter().beginObject();
                LeaseStatusJson.key(out, key);
                out.field("token", renewed.token().secret()).duration("remaining", renewed.remaining());
                commandContext.console().out().println(out.endObject());
            } else {
                commandContext.console().out().println(renewed.token().secret());
            }
        }
        return ExitCode.OK;
    }
}
