package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.RenewResult;
import dev.holdfast.Token;
import dev.holdfast.cli.output.LeaseStatusJson;

/** {@code renew}: begins a new term of the same length. Other clients may have read the length and rely on it. */
public final class RenewCommand extends CliCommand {
    private final CommandOption<String> name = CommandOption.keyName(spec());
    private final CommandOption<String> token = CommandOption.token(spec());
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public RenewCommand() {
        super("renew", "NAME TOKEN", "Renew a lease: a new term of the same length begins now.");
        describe("Prints the token, which changes only in the layout of awsflock. Exit code 3 if the lease is no longer"
                + " yours.");
        examples("holdfast renew nightly \"$token\" || exit");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext context) {
        Key key = context.key(name);
        Token proof = Token.parse(token.orStdin());
        try (Leases leases = context.open()) {
            RenewResult renewed = leases.renew(key, proof);
            context.console()
                    .print(
                            json.or(false)
                                    ? LeaseStatusJson.of(key, renewed)
                                    : renewed.token().secret());
        }
        return ExitCode.OK;
    }
}
