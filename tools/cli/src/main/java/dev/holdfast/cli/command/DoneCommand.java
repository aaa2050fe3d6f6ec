package dev.holdfast.cli.command;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Token;

/** {@code done}: marks a key as done, so that it cannot be acquired again until it is reopened. */
public final class DoneCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<String> token = CommandOption.token(spec());
    private final AttributeOption attributes =
            new AttributeOption(spec(), "Set an attribute of the key. May be repeated.");

    public DoneCommand() {
        super("done", "NAME TOKEN", "Mark a key as done: it cannot be acquired again unless it is reopened.");
        describe("Exit code 3 if the lease is no longer yours.");
        examples("holdfast done invoices/4711.pdf \"$token\" --attr pages=3");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) {
        Key key = context.key(name);
        AttributePatch patch = AttributePatch.NONE.putAll(attributes.toAttributes());
        try (Leases leases = context.open()) {
            leases.done(key, Token.parse(token.orStdin()), patch);
        }
        return ExitCode.OK;
    }
}
