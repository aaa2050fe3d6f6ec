package dev.holdfast.cli.command;

import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.RefusalTexts;

/** {@code reopen}: removes the done mark of a key. */
public final class ReopenCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());

    public ReopenCommand() {
        super("reopen", "NAME", "Remove the done mark of a key, so that it can be acquired again.");
        describe("Exit code 3 if the key is held. A key that is not done does not change.");
        examples("holdfast reopen invoices/4711.pdf");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) {
        Key key = commandContext.key(name.or(""));
        try (Leases leases = commandContext.open()) {
            EditResult result = leases.reopen(key);
            if (result instanceof AcquireResult.HeldByAnother held) {
                throw new CommandFailure(ExitCode.HELD, RefusalTexts.held(key, held));
            }
            if (result instanceof EditResult.Unchanged) {
                commandContext.console().note(RefusalTexts.shown(key) + " is not done; nothing to reopen");
            }
        }
        return ExitCode.OK;
    }
}
