package dev.holdfast.cli;

import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.output.CliConsole;
import dev.holdfast.cli.output.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/** The help. */
public final class HelpText {
    /** For a call without anything. */
    static final String SHORT = """
            usage: holdfast COMMAND [OPTIONS] ...

            hold a lease while a command runs    holdfast run NAME -- CMD...
            run it unless done or under way      holdfast once NAME -- CMD...
            spread work over machines            holdfast fleet join NAME -- CMD...
            take, extend and give up a lease     holdfast acquire NAME, renew NAME TOKEN, release NAME TOKEN
            see who holds what                   holdfast ls, holdfast show NAME

            All commands: holdfast help. One of them: holdfast help COMMAND.""";

    private static final int WIDEST = 100;
    private static final int NARROWEST = 55; // what picocli takes

    private final CliConsole cliConsole;

    public HelpText(CliConsole cliConsole) {
        this.cliConsole = cliConsole;
    }

    /** Prints the help of one command, or of all if {@code spec} is the root. */
    public void print(CommandSpec spec, GlobalOptions globals) {
        boolean isRoot = spec.parent() == null;
        CommandLine line = isRoot ? CommandRunner.full(globals) : spec.commandLine();
        line.setUsageHelpWidth(Math.max(NARROWEST, Math.min(WIDEST, cliConsole.width())));
        Help.Ansi ansi = cliConsole.isColourful() ? Help.Ansi.ON : Help.Ansi.OFF;
        cliConsole.out().print(line.getUsageMessage(Help.defaultColorScheme(ansi)));
    }

    /**
     * Prints the help of one command.
     *
     * @param path its name, preceded by that of the command that it is part of, if any: {@code fleet}, {@code join}
     */
    public void print(List<String> path) {
        CommandLine found = CommandRunner.full(new GlobalOptions());
        String reached = "";
        for (String name : path) {
            found = part(found, reached, name);
            reached += reached.isEmpty() ? name : " " + name;
        }
        print(found.getCommandSpec(), new GlobalOptions());
    }

    /** @param whole the words that lead to {@code command}; empty if it is the root */
    private static CommandLine part(CommandLine command, String whole, String name) {
        Map<String, CommandLine> parts = command.getSubcommands();
        CommandLine found = parts.get(name);
        if (found != null) {
            return found;
        }
        String shown = VisibleText.shortened(name);
        if (parts.isEmpty()) {
            throw CommandFailure.usage("'" + whole + "' has no commands of its own, so '" + shown
                    + "' has no help (expected: holdfast help " + whole + ")");
        }
        String before = whole.isEmpty() ? "" : whole + " ";
        String known = parts.keySet().stream().map(it -> before + it).collect(Collectors.joining(", "));
        throw CommandFailure.usage("unknown command '" + before + shown + "' (expected: " + known + ")");
    }

    /** The model of all commands, for those who describe it to others. */
    public static CommandLine model() {
        return CommandRunner.full(new GlobalOptions());
    }
}
