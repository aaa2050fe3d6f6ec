package dev.holdfast.cli;

import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/** Printer of help texts. */
public final class CommandHelpText {
    /** Short usage, shown for a call without arguments. */
    static final String SHORT = """
            usage: holdfast COMMAND [OPTIONS] ...

            hold a lease while a command runs    holdfast run NAME -- CMD...
            run a command only once              holdfast once NAME -- CMD...
            distribute work over machines        holdfast fleet join NAME -- CMD...
            acquire, renew and release a lease   holdfast acquire NAME, renew NAME TOKEN, release NAME TOKEN
            list leases and their holders        holdfast ls, holdfast show NAME

            All commands: holdfast help. One command: holdfast help COMMAND.""";

    private static final int WIDEST = 100;
    private static final int NARROWEST = 55; // the minimum that picocli accepts

    private final CommandConsole console;

    public CommandHelpText(CommandConsole console) {
        this.console = console;
    }

    /** Prints the help of one command, or of all if {@code spec} is the root. */
    void print(CommandSpec spec) {
        CommandLine line = spec.parent() == null ? model() : spec.commandLine();
        line.setUsageHelpWidth(Math.max(NARROWEST, Math.min(WIDEST, console.width())));
        Help.Ansi ansi = console.isColourful() ? Help.Ansi.ON : Help.Ansi.OFF;
        console.out().print(line.getUsageMessage(Help.defaultColorScheme(ansi)));
    }

    /**
     * Prints the help of one command, or of all.
     *
     * @param path the name of the command, preceded by the name of its group, if any: {@code fleet}, {@code join}; empty
     *     for all commands
     */
    public void print(List<String> path) {
        CommandLine found = model();
        String reached = "";
        for (String name : path) {
            found = part(found, reached, name);
            reached += reached.isEmpty() ? name : " " + name;
        }
        print(found.getCommandSpec());
    }

    /** @param whole the full name of {@code command}; empty for the root */
    private static CommandLine part(CommandLine command, String whole, String name) {
        Map<String, CommandLine> parts = command.getSubcommands();
        CommandLine found = parts.get(name);
        if (found != null) {
            return found;
        }
        String shown = VisibleText.shortened(name);
        if (parts.isEmpty()) {
            throw CommandFailure.usage("'" + whole + "' has no subcommands, so there is no help for '" + shown
                    + "' (expected: holdfast help " + whole + ")");
        }
        String before = whole.isEmpty() ? "" : whole + " ";
        String known = parts.keySet().stream().map(it -> before + it).collect(Collectors.joining(", "));
        throw CommandFailure.usage("unknown command '" + before + shown + "' (expected: " + known + ")");
    }

    /** The model of all commands, for help and shell completion. */
    static CommandLine model() {
        return CommandRunner.full(new GlobalOptions());
    }
}
