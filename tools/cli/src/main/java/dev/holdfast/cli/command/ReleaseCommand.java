package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Token;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.RefusalTexts;

/** {@code release}: releases a lease. */
public final class ReleaseCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final CliOption<String> token = KeyArguments.token(spec());

    public ReleaseCommand() {
        super("release", "NAME TOKEN", "Release a lease.");
        describe("Idempotent. Exit code 3 if another holder has acquired the lease since, or the key is done.");
        examples("trap 'holdfast release nightly \"$token\"' EXIT");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) {
        Key key = commandContext.key(name.or(""));
        Token proof = KeyArguments.token(token);
        try (Leases leases = commandContext.open()) {
            if (!leases.release(key, proof)) {
                throw new CommandFailure(
                        ExitCode.HELD,
                        RefusalTexts.shown(key) + " is no longer yours; nothing to release; see: holdfast show");
            }
        }
        return ExitCode.OK;
    }
}
