package dev.holdfast.cli;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import java.util.List;

/** {@code help}: shows the help of a command, or of all commands. */
public final class HelpCommand extends CliCommand {
    private final CommandOption<List<String>> about =
            CommandOption.rest(spec(), 0, "COMMAND", "The command, such as run, or fleet join.", false);

    public HelpCommand() {
        super("help", "[COMMAND...]", "Show the help of a command, or list all commands.");
        examples("holdfast help run", "holdfast help fleet join");
    }

    @Override
    public int run(CommandContext context) {
        new CommandHelpText(context.console()).print(about.or(List.of()));
        return ExitCode.OK;
    }
}
