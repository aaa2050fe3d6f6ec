package dev.holdfast.cli.command;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Token;
import java.util.List;

/** {@code set}: changes the attributes of a held key. */
public final class SetCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<String> token = CommandOption.token(spec());
    private final CommandOption<List<String>> removed =
            CommandOption.texts(spec(), "NAME", "Remove an attribute. May be repeated.", "--remove");
    private final CommandOption<List<String>> pairs =
            CommandOption.rest(spec(), 2, "NAME=VALUE", "Attributes to set; all others are kept.", false);

    public SetCommand() {
        super("set", "NAME TOKEN NAME=VALUE...", "Change the attributes of a key that you hold.");
        describe("This does not renew the lease. Exit code 3 if the lease is no longer yours.");
        examples("holdfast set import \"$token\" checkpoint=1500 --remove error");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) {
        AttributePatch patch = AttributePatch.NONE.putAll(AttributeOption.attributes(pairs.or(List.of())));
        for (String unwanted : removed.or(List.of())) {
            patch = patch.remove(unwanted);
        }
        if (patch.isEmpty()) {
            throw CommandFailure.usage("nothing to set (expected: NAME=VALUE or --remove NAME)");
        }
        Key key = context.key(name);
        try (Leases leases = context.open()) {
            leases.update(key, Token.parse(token.orStdin()), patch);
        }
        return ExitCode.OK;
    }
}
