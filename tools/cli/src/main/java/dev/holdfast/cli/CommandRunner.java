package dev.holdfast.cli;

import dev.holdfast.cli.command.admin.VersionCommand;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.output.CliConsole;
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

    private final CliConsole cliConsole;
    private final FailureReport failureReport;

    public CommandRunner(CliConsole cliConsole) {
        this.cliConsole = cliConsole;
        this.failureReport = new FailureReport(cliConsole);
    }

    public int run(String... args) {
        int code = runUnchecked(args);
        String failure = cliConsole.outFailure();
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
            cliConsole.err().println(HelpText.SHORT);
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
        GlobalOptions globals = new GlobalOptions();
        try {
            return execute(parse(globals, args), globals);
        } catch (ParameterException e) {
            return failureReport.usage(e);
        }
    }

    /**
     * Parses with the model of the named command alone, if possible: building all models would slow down each start.
     */
    private ParseResult parse(GlobalOptions globals, String... args) {
        CliCommand named = firstCommand(args);
        if (named != null) {
            try {
                CommandLine slim = line(globals.root());
                slim.addSubcommand(named.spec().name(), line(named.spec()));
                ParseResult parsed = slim.parseArgs(args);
                if (parsed.hasSubcommand() || parsed.isUsageHelpRequested()) {
                    return parsed;
                }
            } catch (ParameterException e) {
                if (e.getCommandLine().getCommandSpec() == named.spec() || isBelow(e, named.spec())) {
                    throw e;
                }
            }
        }
        return full(globals).parseArgs(args);
    }

    private static boolean isBelow(ParameterException e, CommandSpec spec) {
        return e.getCommandLine().getCommandSpec().parent() == spec;
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
        CommandLine all = line(globals.reset());
        for (String name : CommandTable.NAMES) {
            CliCommand cliCommand = CommandTable.named(name);
            if (cliCommand != null) {
                all.addSubcommand(name, line(cliCommand.spec()));
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
            new HelpText(cliConsole).print(spec, globals);
            return ExitCode.OK;
        }
        if (globals.isVersionAsked()) {
            return runCommand(new VersionCommand(), globals, last);
        }
        if (!(spec.userObject() instanceof CliCommand cliCommand)) {
            throw new ParameterException(spec.commandLine(), "a command is missing");
        }
        return runCommand(cliCommand, globals, last);
    }

    private static boolean isHelpRequested(ParseResult parsed) {
        return parsed.isUsageHelpRequested() || (parsed.hasSubcommand() && isHelpRequested(parsed.subcommand()));
    }

    private int runCommand(CliCommand cliCommand, GlobalOptions globals, ParseResult parsed) {
        cliConsole.quiet(globals.isQuiet());
        LoggingSetup.configure(globals.isVerbose(), cliCommand.isService());
        try {
            return cliCommand.run(new CommandContext(cliConsole, globals, List.copyOf(parsed.originalArgs())));
        } catch (Exception e) {
            return failureReport.report(e, globals.isVerbose());
        }
    }
}
