package dev.holdfast.cli.command;

import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.option.CliOption;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** {@code --yes}, or an answer to a question on a terminal. */
final class UserConsent {
    private final CliOption<Boolean> yes;

    UserConsent(CommandSpec to) {
        this.yes = CliOption.flag(to, "Do not ask; needed where there is no terminal to ask on.", "-y", "--yes");
    }

    /** Whether {@link #isGiven} will ask; then the caller looks first whether there is anything to ask. */
    boolean isAsked(CommandContext commandContext) {
        return !yes.or(false)
                && commandContext.console().terminal().isIn()
                && commandContext.console().terminal().isErr();
    }

    boolean isGiven(CommandContext commandContext, String question) throws IOException {
        if (yes.or(false)) {
            return true;
        }
        if (!isAsked(commandContext)) {
            throw CommandFailure.usage("there is no terminal to ask on (expected: --yes)");
        }
        if (commandContext.console().confirms(question)) {
            return true;
        }
        commandContext.console().note("nothing was done");
        return false;
    }
}
