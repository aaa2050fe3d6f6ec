package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.BuildInfo;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.command.KeyArguments;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.JsonWriter;

/** {@code version}: prints the version. */
public final class VersionCommand extends CliCommand {
    private final CliOption<Boolean> json = KeyArguments.json(spec());

    public VersionCommand() {
        super("version", "", "Print the version of holdfast, and of the Java that runs it.");
    }

    @Override
    public int run(CommandContext commandContext) {
        String java = System.getProperty("java.vm.name", "Java") + " " + Runtime.version();
        if (json.or(false)) {
            JsonWriter out = new JsonWriter().beginObject();
            out.field("version", BuildInfo.VERSION).field("java", java);
            commandContext.console().out().println(out.endObject());
        } else {
            commandContext.console().out().println("holdfast " + BuildInfo.VERSION + " (" + java + ")");
        }
        return ExitCode.OK;
    }
}
