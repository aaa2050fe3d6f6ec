package dev.holdfast.cli.command;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.AttributeOption;
import dev.holdfast.cli.option.Option;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Key;
import java.util.List;

/** Changes the attributes of a held key. */
public final class SetCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final Option<String> token = Names.token(spec());
    private final Option<List<String>> removed =
            Option.texts(spec(), "NAME", "Remove an attribute. May be repeated.", "--remove");
    private final Option<List<String>> pairs =
            Option.rest(spec(), 2, "NAME=VALUE", "What to put; all others are kept.", false);

    public SetCommand() {
        super("set", "NAME TOKEN NAME=VALUE...", "Change the attributes of a key that you hold.");
        describe("This does not renew the lease. Exit code 3 if the lease is no longer yours.");
        examples("holdfast set import \"$token\" checkpoint=1500 --remove error");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) {
        AttributePatch patch = AttributePatch.NONE.putAll(AttributeOption.attributes(pairs.or(List.of())));
        for (String unwanted : removed.or(List.of())) {
            patch = patch.remove(unwanted);
        }
        if (patch.isEmpty()) {
            throw CommandFailure.usage("nothing to set (expected: NAME=VALUE or --remove NAME)");
        }
        Key key = context.key(name.or(""));
        try (Leases leases = context.open()) {
            leases.update(key, Names.token(token), patch);
        }
        return ExitCode.OK;
    }
}
