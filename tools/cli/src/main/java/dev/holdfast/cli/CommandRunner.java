package dev.holdfast.cli;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.output.CommandConsole;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Entry point of a call: parses the command line, runs the command, and maps every outcome to an exit code. */
public final class CommandRunner {
    private static final String BROKEN_PIPE = "Broken pipe";
    private static final int SIGPIPE = 13;

    private final CommandConsole console;
    private final FailureReport failureReport;

    public CommandRunner(CommandConsole console) {
        this.console = console;
        this.failureReport = new FailureReport(console);
    }

    public int run(String... args) {
        int code = runUnchecked(args);
        String failure = console.outFailure();
        if (failure == null || code != ExitCode.OK) {
            return code;
        }
        if (failure.equals(BROKEN_PIPE)) {
            // The reader closed the pipe, as in "holdfast ls | head". Exit quietly, like a program ended by SIGPIPE.
            return ExitCode.SIGNAL_BASE + SIGPIPE;
        }
        return failureReport.report(new CommandFailure(ExitCode.ERROR, "cannot write to stdout: " + failure), false);
    }

    private int runUnchecked(String... args) {
        if (args.length == 0) {
            console.err().println(CommandHelpText.SHORT);
            return ExitCode.USAGE;
        }
        for (String arg : args) {
            if (arg.indexOf('\uFFFD') >= 0) {
                // The JVM replaces undecodable bytes by U+FFFD, so two different names could become the same key.
                return failureReport.report(
                        CommandFailure.usage(
                                "an argument is not valid UTF-8, or the locale does not use UTF-8 (expected: UTF-8)"),
                        false);
            }
        }
        try {
            GlobalOptions globals = new GlobalOptions();
            ParseResult parsed = parseNamed(globals, args);
            if (parsed != null) {
                return execute(parsed, globals);
            }
            GlobalOptions again = new GlobalOptions();
            return execute(full(again).parseArgs(args), again);
        } catch (ParameterException e) {
            return failureReport.usage(e);
        }
    }

    /**
     * Parses with the model of the named command alone: building all models would slow down each start. Returns null if
     * that does not suffice.
     */
    private static @Nullable ParseResult parseNamed(GlobalOptions globals, String... args) {
        CliCommand named = firstCommand(args);
        if (named == null) {
            return null;
        }
        try {
            CommandLine slim = line(globals.root());
            slim.addSubcommand(named.spec().name(), line(named.spec()));
            ParseResult parsed = slim.parseArgs(args);
            return parsed.hasSubcommand() || parsed.isUsageHelpRequested() ? parsed : null;
        } catch (ParameterException e) {
            CommandSpec failed = e.getCommandLine().getCommandSpec();
            if (failed == named.spec() || failed.parent() == named.spec()) {
                throw e;
            }
            return null;
        }
    }

    private static @Nullable CliCommand firstCommand(String... args) {
        for (String arg : args) {
            CliCommand named = CommandTable.named(arg);
            if (named != null) {
                return named;
            }
        }
        return null;
    }

    /** The model of all commands, for help, completion, and suggestions after a typing error. */
    static CommandLine full(GlobalOptions globals) {
        CommandLine all = line(globals.root());
        for (String name : CommandTable.NAMES) {
            CliCommand command = CommandTable.named(name);
            if (command != null) {
                all.addSubcommand(name, line(command.spec()));
            }
        }
        return all;
    }

    private static CommandLine line(CommandSpec spec) {
        CommandLine line = new CommandLine(spec);
        // "-abc" and "@file" have no special meaning: a name may begin with @.
        line.setExpandAtFiles(false);
        line.setPosixClusteredShortOptionsAllowed(false);
        line.setAllowSubcommandsAsOptionParameters(true);
        return line;
    }

    private int execute(ParseResult parsed, GlobalOptions globals) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandSpec spec = last.commandSpec();
        if (isHelpRequested(parsed)) {
            new CommandHelpText(console).print(spec);
            return ExitCode.OK;
        }
        if (globals.isVersionAsked()) {
            return runCommand(new VersionCommand(), globals, last);
        }
        if (!(spec.userObject() instanceof CliCommand command)) {
            throw new ParameterException(spec.commandLine(), "a command is missing");
        }
        return runCommand(command, globals, last);
    }

    private static boolean isHelpRequested(ParseResult parsed) {
        return parsed.isUsageHelpRequested() || (parsed.hasSubcommand() && isHelpRequested(parsed.subcommand()));
    }

    private int runCommand(CliCommand command, GlobalOptions globals, ParseResult parsed) {
        console.quiet(globals.isQuiet());
        LoggingSetup.configure(globals.isVerbose(), command.isService());
        try {
            List<String> args = List.copyOf(parsed.originalArgs());
            return command.run(
                    new CommandContext(console, globals.settings(console.environment()), args, globals.isVerbose()));
        } catch (Exception e) {
            return failureReport.report(e, globals.isVerbose());
        }
    }
}
