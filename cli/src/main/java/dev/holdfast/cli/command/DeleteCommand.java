package dev.holdfast.cli.command;

import dev.holdfast.EditResult;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import java.io.IOException;
import java.util.Optional;

/** Forgets a key. */
public final class DeleteCommand extends Command {
    private final Option<String> name = Names.name(spec());
    private final Consent consent = new Consent(spec());

    public DeleteCommand() {
        super("delete", "NAME", "Forget a key: its attributes, its counts, that it was done.");
        describe("Its fence is kept, so that fences go on growing. Exit code 3 while it is held.");
        examples("holdfast delete invoices/4711.pdf --yes");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) throws IOException {
        Key key = context.key(name.or(""));
        try (Leases leases = context.open()) {
            if (consent.isAsked(context)) {
                refuseHeld(leases.get(key));
            }
            if (!consent.isGiven(context, "Forget " + Answers.shown(key) + ", also that it was done?")) {
                return ExitCode.ERROR;
            }
            EditResult result = leases.delete(key);
            if (result instanceof EditResult.Held held) {
                throw new CommandFailure(ExitCode.HELD, Answers.held(key, held));
            }
            if (result instanceof EditResult.Unchanged) {
                context.console().note(Answers.shown(key) + " is not there; nothing to delete");
            }
        }
        return ExitCode.OK;
    }

    /** There is nothing to ask if the answer cannot matter. */
    private static void refuseHeld(Optional<LeaseStatus> status) {
        if (status.isPresent() && status.get().isHeld()) {
            throw new CommandFailure(ExitCode.HELD, Answers.held(status.get()));
        }
    }
}
