package dev.holdfast.cli.command;

import dev.holdfast.AttributePatch;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.CliOption;
import java.util.List;

/** {@code set}: changes the attributes of a held key. */
public final class SetCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final CliOption<String> token = KeyArguments.token(spec());
    private final CliOption<List<String>> removed =
            CliOption.texts(spec(), "NAME", "Remove an attribute. May be repeated.", "--remove");
    private final CliOption<List<String>> pairs =
            CliOption.rest(spec(), 2, "NAME=VALUE", "Attributes to set; all others are kept.", false);

    public SetCommand() {
        super("set", "NAME TOKEN NAME=VALUE...", "Change the attributes of a key that you hold.");
        describe("This does not renew the lease. Exit code 3 if the lease is no longer yours.");
        examples("holdfast set import \"$token\" checkpoint=1500 --remove error");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) {
        AttributePatch patch = AttributePatch.NONE.putAll(AttributeOption.attributes(pairs.or(List.of())));
        for (String unwanted : removed.or(List.of())) {
            patch = patch.remove(unwanted);
        }
        if (patch.isEmpty()) {
            throw CommandFailure.usage("nothing to set (expected: NAME=VALUE or --remove NAME)");
        }
        Key key = commandContext.key(name.or(""));
        try (Leases leases = commandContext.open()) {
            leases.update(key, KeyArguments.token(token), patch);
        }
        return ExitCode.OK;
    }
}
