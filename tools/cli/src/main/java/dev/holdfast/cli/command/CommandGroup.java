package dev.holdfast.cli.command;

import picocli.CommandLine;

/** Command with subcommands, such as {@code store} and {@code fleet}. */
public abstract class CommandGroup extends CliCommand {
    private final String expected;

    /** @param expected the subcommands, for the message of a call without one */
    protected CommandGroup(String name, String synopsis, String header, String expected, CliCommand... parts) {
        super(name, synopsis, header);
        this.expected = expected;
        for (CliCommand part : parts) {
            spec().addSubcommand(part.spec().name(), new CommandLine(part.spec()));
        }
    }

    @Override
    public int run(CommandContext context) {
        throw CommandFailure.usage(spec().name() + " (expected: " + expected + ")");
    }
}
