package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Usage;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.option.Option;

/** Shows help. */
public final class HelpCommand extends Command {
    private final Option<String> about = Option.optional(spec(), 0, "COMMAND", "The command to explain.");

    public HelpCommand() {
        super("help", "[COMMAND]", "Explain a command, or list them all.");
    }

    @Override
    public int run(Context context) {
        Usage usage = new Usage(context.console());
        String command = about.get();
        if (command == null) {
            usage.print(Usage.model().getCommandSpec(), new GlobalOptions());
        } else {
            usage.print(command);
        }
        return ExitCode.OK;
    }
}
