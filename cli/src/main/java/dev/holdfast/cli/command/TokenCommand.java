package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import picocli.CommandLine;

/** {@code token new}. */
public final class TokenCommand extends Command {
    public TokenCommand() {
        super("token", "new", "Make a token for a client of a server.");
        Command create = new TokenNewCommand();
        create.spec().usageMessage().customSynopsis("holdfast token new [OPTIONS] NAME");
        spec().addSubcommand("new", new CommandLine(create.spec()));
    }

    @Override
    public int run(Context context) {
        throw CommandFailure.usage("token (expected: holdfast token new NAME)");
    }
}
