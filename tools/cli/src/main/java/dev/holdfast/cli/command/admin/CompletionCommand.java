package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.HelpText;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.FishCompletion;
import picocli.AutoComplete;

/** {@code completion}: prints a completion script for a shell. */
public final class CompletionCommand extends CliCommand {
    private final CliOption<String> shell = CliOption.positional(spec(), 0, "bash|zsh|fish", "The shell.");

    public CompletionCommand() {
        super("completion", "bash|zsh|fish", "Print a completion script for a shell.");
        examples(
                "bash:  source <(holdfast completion bash)     in ~/.bashrc",
                "zsh:   source <(holdfast completion zsh)      in ~/.zshrc",
                "fish:  holdfast completion fish > ~/.config/fish/completions/holdfast.fish");
    }

    @Override
    public int run(CommandContext commandContext) {
        String script = switch (shell.or("")) {
            case "bash", "zsh" -> AutoComplete.bash("holdfast", HelpText.model());
            case "fish" -> FishCompletion.of(HelpText.model());
            default -> throw CommandFailure.usage("shell: " + shell.or("") + " (expected: bash, zsh or fish)");
        };
        commandContext.console().out().println(script);
        return ExitCode.OK;
    }
}
