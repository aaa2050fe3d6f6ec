package dev.holdfast.cli.command;

import dev.holdfast.cli.BuildInfo;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Json;

/** Says which version this is. */
public final class VersionCommand extends Command {
    private final Option<Boolean> json = Names.json(spec());

    public VersionCommand() {
        super("version", "", "Say which version this is, and which Java runs it.");
    }

    @Override
    public int run(Context context) {
        String java = System.getProperty("java.vm.name", "Java") + " " + Runtime.version();
        if (json.or(false)) {
            Json out = new Json().beginObject();
            out.field("version", BuildInfo.VERSION).field("java", java);
            context.console().out().println(out.endObject());
        } else {
            context.console().out().println("holdfast " + BuildInfo.VERSION + " (" + java + ")");
        }
        return ExitCode.OK;
    }
}
