package dev.holdfast.cli.command;

import dev.holdfast.AcquireResult;
import dev.holdfast.EditResult;
import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.RefusalTexts;
import java.io.IOException;
import java.util.Optional;

/** {@code delete}: deletes a key. */
public final class DeleteCommand extends CliCommand {
    private final CliOption<String> name = KeyArguments.name(spec());
    private final UserConsent userConsent = new UserConsent(spec());

    public DeleteCommand() {
        super("delete", "NAME", "Delete a key with its attributes, counters and done mark.");
        describe("The fence of the key is kept, so that fences never decrease. Exit code 3 if the key is held.");
        examples("holdfast delete invoices/4711.pdf --yes");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(CommandContext commandContext) throws IOException {
        Key key = commandContext.key(name.or(""));
        try (Leases leases = commandContext.open()) {
            if (userConsent.isAsked(commandContext)) {
                refuseHeld(leases.get(key));
            }
            if (!userConsent.isGiven(commandContext, "Delete " + RefusalTexts.shown(key) + " and its done mark?")) {
                return ExitCode.ERROR;
            }
            EditResult result = leases.delete(key);
            if (result instanceof AcquireResult.HeldByAnother held) {
                throw new CommandFailure(ExitCode.HELD, RefusalTexts.held(key, held));
            }
            if (result instanceof EditResult.Unchanged) {
                commandContext.console().note(RefusalTexts.shown(key) + " does not exist; nothing to delete");
            }
        }
        return ExitCode.OK;
    }

    /** Fails before the question is asked: a held key cannot be deleted anyway. */
    private static void refuseHeld(Optional<LeaseStatus> status) {
        if (status.isPresent() && status.get().isHeld()) {
            throw new CommandFailure(ExitCode.HELD, RefusalTexts.held(status.get()));
        }
    }
}
