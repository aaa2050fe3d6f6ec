package dev.holdfast.cli;

import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.config.CommandSettings;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** Options of all commands. They are accepted before and after the name of the command. */
public final class GlobalOptions {
    private final CommandSpec root = CommandSpec.create().name("holdfast");
    private final CommandOption<String> store;
    private final CommandOption<String> profile;
    private final CommandOption<String> namespace;
    private final CommandOption<Boolean> quiet;
    private final CommandOption<Boolean> verbose;
    private final CommandOption<Boolean> version;

    public GlobalOptions() {
        root.usageMessage()
                .header("Leases for processes on many machines: locks, run-once work, fleets, elections.")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n")
                .optionListHeading("%nOptions of all commands:%n")
                .sortOptions(false)
                .footer(
                        "",
                        "Exit codes: 0 ok, 1 error, 2 usage, 3 held by another or no longer yours,",
                        "4 already done, 5 lost while running. Otherwise run, once and elect exit with",
                        "the code of their command.",
                        "",
                        "Help of a command: holdfast help COMMAND");
        // Separate lines, because automatic wrapping would break a URL at its colon.
        store = inherited(OptionSpec.builder("--store")
                .type(String.class)
                .paramLabel("URL")
                .description(
                        "The store: sqlite:PATH (default), memory:,",
                        "postgresql://USER@HOST/DB, dynamodb://TABLE,",
                        "or a server: http://HOST:PORT, https://HOST:PORT."));
        profile = text("NAME", "The section of the configuration file to use.", "--profile");
        namespace = text("NAMESPACE", "The namespace of keys. Default: empty.", "-n", "--namespace");
        quiet = flag("Print only errors on stderr.", "-q", "--quiet");
        verbose = flag("Also print warnings of the library and stack traces on stderr.", "-v", "--verbose");
        inherited(OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .arity("0")
                .usageHelp(true)
                .description("Show this help."));
        version = CommandOption.flag(root, "Same as the command version.", "--version");
    }

    public CommandSpec root() {
        return root;
    }

    public CommandSettings settings(Map<String, String> environment) {
        return new CommandSettings(store.get(), namespace.get(), profile.get(), environment);
    }

    boolean isQuiet() {
        return quiet.or(false);
    }

    boolean isVerbose() {
        return verbose.or(false);
    }

    boolean isVersionAsked() {
        return version.or(false);
    }

    private CommandOption<String> text(String label, String description, String... names) {
        return inherited(
                OptionSpec.builder(names).type(String.class).paramLabel(label).description(description));
    }

    private CommandOption<Boolean> flag(String description, String... names) {
        return inherited(
                OptionSpec.builder(names).type(boolean.class).arity("0").description(description));
    }

    private <T> CommandOption<T> inherited(OptionSpec.Builder builder) {
        return CommandOption.added(root, builder.scopeType(ScopeType.INHERIT));
    }
}
