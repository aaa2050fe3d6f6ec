package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Usage;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.option.Option;
import java.util.List;

/** Shows help. */
public final class HelpCommand extends Command {
    private final Option<List<String>> about =
            Option.rest(spec(), 0, "COMMAND", "The command to explain, such as run, or fleet join.", false);

    public HelpCommand() {
        super("help", "[COMMAND...]", "Explain a command, or list them all.");
        examples("holdfast help run", "holdfast help fleet join");
    }

    @Override
    public int run(Context context) {
        Usage usage = new Usage(context.console());
        List<String> path = about.or(List.of());
        if (path.isEmpty()) {
            usage.print(Usage.model().getCommandSpec(), new GlobalOptions());
        } else {
            usage.print(path);
        }
        return ExitCode.OK;
    }
}
