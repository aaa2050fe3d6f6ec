package dev.holdfast.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completion script for fish, which picocli cannot generate: a line per command and per option. */
public final class FishCompletion {
    private final StringBuilder out = new StringBuilder("# holdfast completion for fish\ncomplete -c holdfast -f\n");

    private FishCompletion() {}

    public static String of(CommandLine model) {
        FishCompletion completion = new FishCompletion();
        completion.all(model, "__fish_use_subcommand", "");
        return completion.out.toString();
    }

    /** @param seen the condition that selects the parent command, as a prefix for its subcommands; empty at the root */
    private void all(CommandLine of, String condition, String seen) {
        commands(of, condition);
        options(of.getCommandSpec(), condition);
        for (Map.Entry<String, CommandLine> command : of.getSubcommands().entrySet()) {
            String below = seen + "__fish_seen_subcommand_from " + command.getKey();
            all(command.getValue(), below, below + "; and ");
        }
    }

    private void commands(CommandLine of, String condition) {
        of.getSubcommands()
                .forEach((name, command) -> line(
                        condition,
                        " -a " + quoted(name),
                        first(command.getCommandSpec().usageMessage().header())));
    }

    private void options(CommandSpec of, String condition) {
        for (OptionSpec option : of.options()) {
            StringBuilder names = new StringBuilder();
            for (String name : option.names()) {
                names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            if (option.arity().max() > 0) {
                names.append(" -r");
            }
            if (option.completionCandidates() != null) {
                names.append(" -a ").append(quoted(String.join(" ", option.completionCandidates())));
            }
            line(condition, names.toString(), first(option.description()));
        }
        if (of.name().equals("completion")) {
            line(condition, " -a 'bash zsh fish'", "the shell");
        }
        if (of.name().equals("help")) {
            of.root().subcommands().keySet().forEach(name -> line(condition, " -a " + quoted(name), ""));
        }
    }

    private void line(String condition, String arguments, String description) {
        out.append("complete -c holdfast -n ").append(quoted(condition)).append(arguments);
        if (!description.isEmpty()) {
            out.append(" -d ").append(quoted(description));
        }
        out.append('\n');
    }

    private static String first(String[] lines) {
        return lines.length == 0 ? "" : lines[0];
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
