package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.HelpText;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.GlobalOptions;
import java.util.List;

/** {@code help}: shows the help of a command, or of all commands. */
public final class HelpCommand extends CliCommand {
    private final CliOption<List<String>> about =
            CliOption.rest(spec(), 0, "COMMAND", "The command, such as run, or fleet join.", false);

    public HelpCommand() {
        super("help", "[COMMAND...]", "Show the help of a command, or list all commands.");
        examples("holdfast help run", "holdfast help fleet join");
    }

    @Override
    public int run(CommandContext commandContext) {
        HelpText helpText = new HelpText(commandContext.console());
        List<String> path = about.or(List.of());
        if (path.isEmpty()) {
            helpText.print(HelpText.model().getCommandSpec(), new GlobalOptions());
        } else {
            helpText.print(path);
        }
        return ExitCode.OK;
    }
}
