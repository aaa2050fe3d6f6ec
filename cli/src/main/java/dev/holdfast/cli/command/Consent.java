package dev.holdfast.cli.command;

import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.option.Option;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code --yes}, or an answer to a question on a terminal. */
final class Consent {
    private final Option<Boolean> yes;

    Consent(CommandSpec to) {
        this.yes = Option.flag(to, "Do not ask; needed where there is no terminal to ask on.", "-y", "--yes");
    }

    /** Whether {@link #isGiven} will ask; then the caller looks first whether there is anything to ask. */
    boolean isAsked(Context context) {
        return !yes.or(false)
                && context.console().terminal().isIn()
                && context.console().terminal().isErr();
    }

    boolean isGiven(Context context, String question) throws IOException {
        if (yes.or(false)) {
            return true;
        }
        if (!isAsked(context)) {
            throw CommandFailure.usage("there is no terminal to ask on (expected: --yes)");
        }
        if (context.console().confirms(question)) {
            return true;
        }
        context.console().note("nothing was done");
        return false;
    }
}
