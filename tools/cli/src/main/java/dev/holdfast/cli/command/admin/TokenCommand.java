package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import picocli.CommandLine;

/** Parent of {@code token new}. */
public final class TokenCommand extends CliCommand {
    public TokenCommand() {
        super("token", "new", "Create an access token for a client of a server.");
        CliCommand create = new TokenNewCommand();
        create.spec().usageMessage().customSynopsis("holdfast token new [OPTIONS] NAME");
        spec().addSubcommand("new", new CommandLine(create.spec()));
    }

    @Override
    public int run(CommandContext commandContext) {
        throw CommandFailure.usage("token (expected: holdfast token new NAME)");
    }
}
