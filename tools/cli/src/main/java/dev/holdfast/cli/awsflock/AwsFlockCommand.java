package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.HelpText;
import dev.holdfast.cli.option.GlobalOptions;
import picocli.CommandLine;

/**
 * Drop-in replacement for awsflock: its commands, options, environment variables, output and exit codes, on its table.
 * The launcher selects this command when it is started under the name {@code awsflock}.
 */
public final class AwsFlockCommand extends CliCommand {
    public AwsFlockCommand() {
        super("awsflock", "acquire|renew|release|create-table", "Run awsflock's commands on awsflock's table.");
        describe(
                "A drop-in replacement for scripts written for awsflock. A symbolic link named awsflock to this command"
                        + " makes the first word unnecessary. Both tools can share a table: they respect each other's"
                        + " locks.");
        add(new AcquireLockCommand());
        add(new RenewLockCommand());
        add(new ReleaseLockCommand());
        CreateLockTableCommand create = new CreateLockTableCommand();
        create.spec().aliases("table-create"); // The name in awsflock's README.
        add(create);
    }

    private void add(CliCommand part) {
        spec().addSubcommand(part.spec().name(), new CommandLine(part.spec()));
    }

    /** Without a subcommand, awsflock prints its help and exits with 0. */
    @Override
    public int run(CommandContext commandContext) {
        new HelpText(commandContext.console()).print(spec(), new GlobalOptions());
        return ExitCode.OK;
    }
}
