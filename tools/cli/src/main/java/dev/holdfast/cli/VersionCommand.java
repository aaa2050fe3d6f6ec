package dev.holdfast.cli;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.JsonWriter;

/** {@code version}: prints the version. */
public final class VersionCommand extends CliCommand {
    private final CommandOption<Boolean> json = CommandOption.json(spec());

    public VersionCommand() {
        super("version", "", "Print the version of holdfast, and of the Java that runs it.");
    }

    @Override
    public int run(CommandContext context) {
        String java = System.getProperty("java.vm.name", "Java") + " " + Runtime.version();
        if (json.or(false)) {
            JsonWriter out = new JsonWriter().beginObject();
            out.field("version", BuildInfo.VERSION).field("java", java);
            context.console().print(out.endObject());
        } else {
            context.console().print("holdfast " + BuildInfo.VERSION + " (" + java + ")");
        }
        return ExitCode.OK;
    }
}
