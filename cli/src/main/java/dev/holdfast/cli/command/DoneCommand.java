package dev.holdfast.cli.command;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;

/** Finishes a key: nobody is granted it again until somebody reopens it. */
public final class DoneCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final Option<String> token = Names.token(spec());
    private final AttributeOption attributes =
            new AttributeOption(spec(), "Put an attribute on the key with it. May be repeated.");

    public DoneCommand() {
        super("done", "NAME TOKEN", "Mark a key done, for ever: nobody is granted it again unless it is reopened.");
        describe("Exit code 3 if the lease is no longer yours.");
        examples("holdfast done invoices/4711.pdf \"$token\" --attr pages=3");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) {
        Key key = context.key(name.or(""));
        AttributePatch patch = AttributePatch.NONE.putAll(attributes.toAttributes());
        try (Leases leases = context.open()) {
            leases.done(key, Names.token(token), patch);
        }
        return ExitCode.OK;
    }
}
