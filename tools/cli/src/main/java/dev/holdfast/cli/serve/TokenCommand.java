package dev.holdfast.cli.serve;

import dev.holdfast.cli.command.CommandGroup;

/** {@code token}: commands for access tokens of a server. */
public final class TokenCommand extends CommandGroup {
    public TokenCommand() {
        super(
                "token",
                "new",
                "Create an access token for a client of a server.",
                "holdfast token new NAME",
                new TokenNewCommand());
    }
}
