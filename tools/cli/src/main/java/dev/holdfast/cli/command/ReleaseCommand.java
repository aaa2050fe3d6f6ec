package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Token;
import dev.holdfast.cli.output.RefusalTexts;

/** {@code release}: releases a lease. */
public final class ReleaseCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<String> token = CommandOption.token(spec());

    private final CommandOption<String> next =
            CommandOption.text(spec(), "HOLDER", "The waiting holder that should have the key next.", "--to");

    public ReleaseCommand() {
        super("release", "NAME TOKEN", "Release a lease.");
        describe(
                "Idempotent. Exit code 3 if another holder has acquired the lease since, or the key is done.",
                "A holder named with --to goes first if it waits. Other waiting clients yield to it for 3 seconds.");
        examples("trap 'holdfast release nightly \"$token\"' EXIT");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) {
        Key key = context.key(name);
        Token proof = Token.parse(token.orStdin());
        try (Leases leases = context.open()) {
            String heir = next.or("");
            boolean released = heir.isEmpty() ? leases.release(key, proof) : leases.releaseTo(key, proof, heir);
            if (!released) {
                throw new CommandFailure(
                        ExitCode.HELD,
                        RefusalTexts.shown(key) + " is no longer yours; nothing to release; see: holdfast show");
            }
        }
        return ExitCode.OK;
    }
}
