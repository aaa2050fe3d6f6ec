package dev.holdfast.cli.command;

import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.option.CliOption;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;

/** Confirmation by the user: {@code --yes}, or a question on the terminal. */
final class UserConsent {
    private final CliOption<Boolean> yes;

    UserConsent(CommandSpec to) {
        this.yes = CliOption.flag(to, "Do not ask for confirmation. Required without a terminal.", "-y", "--yes");
    }

    /** Whether {@link #isGiven} will ask the user. The caller then checks first that there is something to confirm. */
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
            throw CommandFailure.usage("no terminal to ask for confirmation (expected: --yes)");
        }
        if (commandContext.console().confirms(question)) {
            return true;
        }
        commandContext.console().note("cancelled; nothing was changed");
        return false;
    }
}
