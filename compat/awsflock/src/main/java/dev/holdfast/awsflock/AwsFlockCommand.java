package dev.holdfast.awsflock;

import dev.holdfast.cli.CommandHelpText;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandGroup;
import dev.holdfast.cli.command.ExitCode;
import java.util.List;

/**
 * Drop-in replacement for awsflock: its commands, options, environment variables, output and exit codes, on its table.
 * The launcher selects this command when it is started under the name {@code awsflock}.
 */
public final class AwsFlockCommand extends CommandGroup {
    public AwsFlockCommand() {
        super(
                "awsflock",
                "acquire|renew|release|create-table",
                "Run awsflock's commands on awsflock's table.",
                "acquire, renew, release or create-table",
                new AcquireLockCommand(),
                new RenewLockCommand(),
                new ReleaseLockCommand(),
                new CreateLockTableCommand());
        describe(
                "A drop-in replacement for scripts written for awsflock. A symbolic link named awsflock to this command"
                        + " makes the first word unnecessary. Both tools can share a table: they respect each other's"
                        + " locks.");
    }

    @Override
    public boolean isStandalone() {
        return true;
    }

    /** Without a subcommand, awsflock prints its help and exits with 0. */
    @Override
    public int run(CommandContext context) {
        new CommandHelpText(context.console()).print(List.of(spec().name()));
        return ExitCode.OK;
    }
}
