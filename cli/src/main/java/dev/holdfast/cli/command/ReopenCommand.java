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

/** Undoes done. */
public final class ReopenCommand extends Command {
    private final Option<String> name = Names.name(spec());

    public ReopenCommand() {
        super("reopen", "NAME", "Undo done: the key can be acquired again.");
        describe("Exit code 3 while it is held. A key that is not done is left as it is.");
        examples("holdfast reopen invoices/4711.pdf");
        onDynamo("GetItem", "PutItem", "UpdateItem");
    }

    @Override
    public int run(Context context) {
        Key key = context.key(name.or(""));
        try (Leases leases = context.open()) {
            EditResult result = leases.reopen(key);
            if (result instanceof EditResult.Held held) {
                throw new CommandFailure(ExitCode.HELD, Answers.held(key, held));
            }
            if (result instanceof EditResult.Unchanged) {
                context.console().note(Answers.shown(key) + " is not done; nothing to reopen");
            }
        }
        return ExitCode.OK;
    }
}
