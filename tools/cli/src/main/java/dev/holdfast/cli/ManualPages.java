package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Writer of the manual pages: one for the command, and one for each of its subcommands, in section 1. All text comes from the help
 * of the commands. The build of the packages runs it: {@code ManualPages FOLDER VERSION}.
 */
public final class ManualPages {
    private final String version;

    private ManualPages(String version) {
        this.version = version;
    }

    public static void main(String[] args) throws IOException {
        Path folder = Files.createDirectories(Path.of(args[0]));
        new ManualPages(args[1]).write(folder, "holdfast", CommandHelpText.model());
    }

    /** @param name the name of the page: {@code holdfast-fleet-join} */
    private void write(Path folder, String name, CommandLine command) throws IOException {
        Files.writeString(folder.resolve(name + ".1"), page(name, command), UTF_8);
        for (var part : command.getSubcommands().entrySet()) {
            write(folder, name + "-" + part.getKey(), part.getValue());
        }
    }

    private String page(String name, CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        List<String> lines = new ArrayList<>();
        // No date: the same sources make the same page.
        lines.add(".TH " + name.toUpperCase(Locale.ROOT).replace("-", "\\-") + " 1 \"\" \"holdfast " + version
                + "\" \"Holdfast\"");
        section(lines, "NAME");
        lines.add(text(name) + " \\- " + text(String.join(" ", plain(usage.header()))));
        section(lines, "SYNOPSIS");
        synopsis(usage).forEach(line -> lines.add(".B " + text(line)));
        paragraphs(lines, "DESCRIPTION", plain(usage.description()));
        arguments(lines, spec);
        options(lines, "OPTIONS", spec, false);
        subcommands(lines, name, command);
        footer(lines, usage);
        options(lines, spec.parent() == null ? "OPTIONS" : "OPTIONS OF ALL COMMANDS", spec, true);
        if (spec.parent() == null) {
            environment(lines);
        } else {
            section(lines, "SEE ALSO");
            lines.add(".BR " + text(parentPage(name)) + " (1)");
        }
        return String.join("\n", lines) + "\n";
    }

    private static String parentPage(String name) {
        return name.substring(0, name.lastIndexOf('-'));
    }

    private static List<String> synopsis(UsageMessageSpec usage) {
        return usage.customSynopsis().length == 0
                ? List.of("holdfast COMMAND [OPTIONS] ...")
                : plain(usage.customSynopsis());
    }

    private static void arguments(List<String> lines, CommandSpec spec) {
        List<ArgSpec> shown = spec.positionalParameters().stream()
                .filter(argument -> !argument.hidden())
                .collect(Collectors.toList());
        entries(lines, "ARGUMENTS", shown);
    }

    /** @param ofAll whether to list the options that all commands have, or those of this one */
    private static void options(List<String> lines, String title, CommandSpec spec, boolean ofAll) {
        boolean isRoot = spec.parent() == null;
        List<ArgSpec> shown = spec.options().stream()
                .filter(option -> !option.hidden() && (isRoot || option.inherited()) == ofAll)
                .collect(Collectors.toList());
        entries(lines, title, shown);
    }

    private static void entries(List<String> lines, String title, List<ArgSpec> all) {
        if (all.isEmpty()) {
            return;
        }
        section(lines, title);
        for (ArgSpec one : all) {
            lines.add(".TP");
            lines.add(".B " + text(label(one)));
            lines.add(text(String.join(" ", plain(one.description()))));
        }
    }

    private static String label(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return argument.paramLabel();
        }
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    private static void subcommands(List<String> lines, String name, CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            return;
        }
        section(lines, "COMMANDS");
        command.getSubcommands().forEach((part, line) -> {
            lines.add(".TP");
            lines.add(".BR " + text(name + "-" + part) + " (1)");
            lines.add(text(
                    String.join(" ", plain(line.getCommandSpec().usageMessage().header()))));
        });
    }

    /** The examples and notes below the options, line by line. */
    private static void footer(List<String> lines, UsageMessageSpec usage) {
        List<String> footer = plain(usage.footer());
        if (footer.isEmpty()) {
            return;
        }
        String heading =
                String.join("", plain(usage.footerHeading())).replace(":", "").strip();
        section(lines, heading.isEmpty() ? "NOTES" : heading.toUpperCase(Locale.ROOT));
        lines.add(".nf");
        footer.forEach(line -> lines.add(text(line)));
        lines.add(".fi");
    }

    private static void environment(List<String> lines) {
        section(lines, "ENVIRONMENT");
        entry(lines, "HOLDFAST_STORE", "The store, unless --store names one.");
        entry(lines, "HOLDFAST_NAMESPACE", "The namespace of keys, unless --namespace names one.");
        entry(lines, "HOLDFAST_AUTH_TOKEN", "The secret for a server that authenticates its clients.");
        entry(lines, "HOLDFAST_JAVA", "The java program to use, instead of the one in JAVA_HOME or on the path.");
        section(lines, "FILES");
        entry(
                lines,
                "~/.config/holdfast/config",
                "Lines NAME=VALUE with store, namespace and owner, and one section [PROFILE] for each profile.");
    }

    private static void entry(List<String> lines, String name, String meaning) {
        lines.add(".TP");
        lines.add(".B " + text(name));
        lines.add(text(meaning));
    }

    private static void paragraphs(List<String> lines, String title, List<String> paragraphs) {
        if (paragraphs.isEmpty()) {
            return;
        }
        section(lines, title);
        for (String paragraph : paragraphs) {
            if (!paragraph.isBlank()) {
                lines.add(".PP");
                lines.add(text(paragraph));
            }
        }
    }

    private static void section(List<String> lines, String title) {
        lines.add(".SH " + title);
    }

    /** The text of format strings of picocli, without its marks for colours. */
    private static List<String> plain(String... formats) {
        List<String> lines = new ArrayList<>();
        for (String format : formats) {
            lines.addAll(List.of(Ansi.OFF.string(String.format(format)).split("\n", -1)));
        }
        return lines;
    }

    /** Escapes text for troff: a backslash, a hyphen that must stay one, and a control character at the start of a line. */
    private static String text(String plain) {
        String escaped = plain.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
