package dev.holdfast.cli;

import dev.holdfast.cli.command.VersionCommand;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.output.Console;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Reads the command line, runs the command that it names, and turns whatever happens into an exit code. */
public final class Cli {
    private static final String BROKEN_PIPE = "Broken pipe";
    private static final int SIGPIPE = 13;

    private final Console console;
    private final Failures failures;

    public Cli(Console console) {
        this.console = console;
        this.failures = new Failures(console);
    }

    public int run(String... args) {
        int code = runUnchecked(args);
        String failure = console.outFailure();
        if (failure == null || code != ExitCode.OK) {
            return code;
        }
        if (failure.equals(BROKEN_PIPE)) {
            // The reader has seen enough, as in "holdfast ls | head": quiet, as programs that this signal ends.
            return ExitCode.SIGNAL_BASE + SIGPIPE;
        }
        return failures.report(new CommandFailure(ExitCode.ERROR, "stdout cannot be written: " + failure), false);
    }

    private int runUnchecked(String... args) {
        if (args.length == 0) {
            console.err().println(Usage.SHORT);
            return ExitCode.USAGE;
        }
        for (String arg : args) {
            if (arg.indexOf('\uFFFD') >= 0) {
                // The JVM puts this in place of what it cannot decode: two names could become one.
                return failures.report(
                        CommandFailure.usage(
                                "an argument is not text in UTF-8, or the locale is not (expected: UTF-8)"),
                        false);
            }
        }
        GlobalOptions globals = new GlobalOptions();
        try {
            return execute(parse(globals, args), globals);
        } catch (ParameterException e) {
            return failures.usage(e);
        }
    }

    /** Most calls name their command plainly, and need the model of no other. */
    private ParseResult parse(GlobalOptions globals, String... args) {
        Command named = firstCommand(args);
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

    private static @Nullable Command firstCommand(String... args) {
        for (String arg : args) {
            Command named = Commands.named(arg);
            if (named != null) {
                return named;
            }
        }
        return null;
    }

    /** The model of everything: for help, completion, and suggestions to those who mistyped. */
    static CommandLine full(GlobalOptions globals) {
        CommandLine all = line(globals.reset());
        for (String name : Commands.NAMES) {
            Command command = Commands.named(name);
            if (command != null) {
                all.addSubcommand(name, line(command.spec()));
            }
        }
        return all;
    }

    private static CommandLine line(CommandSpec spec) {
        CommandLine line = new CommandLine(spec);
        // "-abc" and "@file" mean nothing here: a name may begin with @.
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
        if (isHelpAsked(parsed)) {
            new Usage(console).print(spec, globals);
            return ExitCode.OK;
        }
        if (globals.isVersionAsked()) {
            return runCommand(new VersionCommand(), globals, last);
        }
        if (!(spec.userObject() instanceof Command command)) {
            throw new ParameterException(spec.commandLine(), "a command is missing");
        }
        return runCommand(command, globals, last);
    }

    private static boolean isHelpAsked(ParseResult parsed) {
        return parsed.isUsageHelpRequested() || (parsed.hasSubcommand() && isHelpAsked(parsed.subcommand()));
    }

    private int runCommand(Command command, GlobalOptions globals, ParseResult parsed) {
        console.quiet(globals.isQuiet());
        Logging.configure(globals.isVerbose(), command.isService());
        try {
            return command.run(new Context(console, globals, List.copyOf(parsed.originalArgs())));
        } catch (Exception e) {
            return failures.report(e, globals.isVerbose());
        }
    }
}
