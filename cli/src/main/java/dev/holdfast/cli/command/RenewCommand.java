package dev.holdfast.cli.command;

import dev.holdfast.Leases;
import dev.holdfast.RenewResult;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.StatusJson;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;

/** Begins a new term. Its length stays: others may have been told of the one it has, and rely on it. */
public final class RenewCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final Option<String> token = Names.token(spec());
    private final Option<Boolean> json = Names.json(spec());

    public RenewCommand() {
        super("renew", "NAME TOKEN", "Extend a lease by its term, from now.");
        describe(
                "Prints the token, which stays the same, except in the layout of awsflock. Exit code 3 if the lease is no longer yours.");
        examples("holdfast renew nightly \"$token\" || exit");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) {
        Key key = context.key(name.or(""));
        Token proof = Names.token(token);
        try (Leases leases = context.open()) {
            RenewResult renewed = leases.renewal(key, proof);
            if (json.or(false)) {
                Json out = new Json().beginObject();
                StatusJson.key(out, key);
                out.field("token", renewed.token().secret()).duration("remaining", renewed.remaining());
                context.console().out().println(out.endObject());
            } else {
                context.console().out().println(renewed.token().secret());
            }
        }
        return ExitCode.OK;
    }
}
