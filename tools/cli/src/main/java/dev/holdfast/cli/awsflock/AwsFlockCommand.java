package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.HelpText;
import dev.holdfast.cli.option.GlobalOptions;
import picocli.CommandLine;

/**
 * awsflock's commands, options, environment variables, output and exit codes, on awsflock's table. Also what this process
 * is when it is started under the name {@code awsflock}.
 */
public final class AwsFlockCommand extends CliCommand {
    public AwsFlockCommand() {
        super("awsflock", "acquire|renew|release|create-table", "Be awsflock: its commands, on its table.");
        describe(
                "For scripts that were written for awsflock. A link named awsflock to this command does the same without"
                        + " the first word. Some may go on with the real awsflock meanwhile: both keep out of each"
                        + " other's way.");
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

    /** Without a command awsflock explains itself, and ends well. */
    @Override
    public int run(CommandContext commandContext) {
        new HelpText(commandContext.console()).print(spec(), new GlobalOptions());
        return ExitCode.OK;
    }
}
