package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Usage;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.output.FishCompletion;
import picocli.AutoComplete;

/** Prints what makes a shell complete our commands and options. */
public final class CompletionCommand extends Command {
    private final Option<String> shell = Option.positional(spec(), 0, "bash|zsh|fish", "The shell.");

    public CompletionCommand() {
        super("completion", "bash|zsh|fish", "Print a script that makes a shell complete commands and options.");
        examples(
                "bash:  source <(holdfast completion bash)     in ~/.bashrc",
                "zsh:   source <(holdfast completion zsh)      in ~/.zshrc",
                "fish:  holdfast completion fish > ~/.config/fish/completions/holdfast.fish");
    }

    @Override
    public int run(Context context) {
        String script = switch (shell.or("")) {
            case "bash", "zsh" -> AutoComplete.bash("holdfast", Usage.model());
            case "fish" -> FishCompletion.of(Usage.model());
            default -> throw CommandFailure.usage("shell: " + shell.or("") + " (expected: bash, zsh or fish)");
        };
        context.console().out().println(script);
        return ExitCode.OK;
    }
}
