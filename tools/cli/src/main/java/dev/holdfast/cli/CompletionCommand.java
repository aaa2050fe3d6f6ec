package dev.holdfast.cli;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import picocli.AutoComplete;

/** {@code completion}: prints a completion script for a shell. */
public final class CompletionCommand extends CliCommand {
    private final CommandOption<String> shell = CommandOption.positional(spec(), 0, "bash|zsh|fish", "The shell.");

    public CompletionCommand() {
        super("completion", "bash|zsh|fish", "Print a completion script for a shell.");
        examples(
                "bash:  source <(holdfast completion bash)     in ~/.bashrc",
                "zsh:   source <(holdfast completion zsh)      in ~/.zshrc",
                "fish:  holdfast completion fish > ~/.config/fish/completions/holdfast.fish");
    }

    @Override
    public int run(CommandContext context) {
        String script = switch (shell.or("")) {
            case "bash", "zsh" -> AutoComplete.bash("holdfast", CommandHelpText.model());
            case "fish" -> FishCompletion.of(CommandHelpText.model());
            default -> throw CommandFailure.usage("shell: " + shell.or("") + " (expected: bash, zsh or fish)");
        };
        context.console().print(script);
        return ExitCode.OK;
    }
}
