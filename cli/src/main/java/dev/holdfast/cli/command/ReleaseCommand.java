package dev.holdfast.cli.command;

import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import dev.holdfast.model.Token;

/** Gives a lease up. */
public final class ReleaseCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final Option<String> token = Names.token(spec());

    public ReleaseCommand() {
        super("release", "NAME TOKEN", "Give a lease up.");
        describe("Doing so twice is as good as once. Exit code 3 if another was granted it meanwhile, or it is done.");
        examples("trap 'holdfast release nightly \"$token\"' EXIT");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) {
        Key key = context.key(name.or(""));
        Token proof = Names.token(token);
        try (Leases leases = context.open()) {
            if (!leases.release(key, proof)) {
                throw new CommandFailure(
                        ExitCode.HELD,
                        Answers.shown(key)
                                + " is no longer yours, so there is nothing to release; look with: holdfast show");
            }
        }
        return ExitCode.OK;
    }
}
