package dev.holdfast.cli.command;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** Confirmation by the user: {@code --yes}, or a question on the terminal. */
final class UserConsent {
    private final CommandOption<Boolean> yes;

    UserConsent(CommandSpec to) {
        this.yes = CommandOption.flag(to, "Do not ask for confirmation. Required without a terminal.", "-y", "--yes");
    }

    /** Whether {@link #isGiven} will ask the user. The caller then checks first that there is something to confirm. */
    boolean isAsked(CommandContext context) {
        return !yes.or(false)
                && context.console().terminal().isIn()
                && context.console().terminal().isErr();
    }

    boolean isGiven(CommandContext context, String question) throws IOException {
        if (yes.or(false)) {
            return true;
        }
        if (!isAsked(context)) {
            throw CommandFailure.usage("no terminal to ask for confirmation (expected: --yes)");
        }
        if (context.console().confirms(question)) {
            return true;
        }
        context.console().note("cancelled; nothing was changed");
        return false;
    }
}
