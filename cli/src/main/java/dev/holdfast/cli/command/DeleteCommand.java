package dev.holdfast.cli.command;

import dev.holdfast.EditResult;
import dev.holdfast.Leases;
import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.Answers;
import dev.holdfast.model.Key;
import java.io.IOException;

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
        if (!consent.isGiven(context, "Forget " + Answers.shown(key) + ", also that it was done?")) {
            return ExitCode.ERROR;
        }
        try (Leases leases = context.open()) {
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
}
