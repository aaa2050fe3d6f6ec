package dev.holdfast.cli;

import dev.holdfast.cli.command.AcquireCommand;
import dev.holdfast.cli.command.BenchCommand;
import dev.holdfast.cli.command.CompletionCommand;
import dev.holdfast.cli.command.DeleteCommand;
import dev.holdfast.cli.command.DoneCommand;
import dev.holdfast.cli.command.ElectCommand;
import dev.holdfast.cli.command.EvictCommand;
import dev.holdfast.cli.command.HelpCommand;
import dev.holdfast.cli.command.LsCommand;
import dev.holdfast.cli.command.OnceCommand;
import dev.holdfast.cli.command.ReleaseCommand;
import dev.holdfast.cli.command.RenewCommand;
import dev.holdfast.cli.command.ReopenCommand;
import dev.holdfast.cli.command.RunCommand;
import dev.holdfast.cli.command.SetCommand;
import dev.holdfast.cli.command.ShowCommand;
import dev.holdfast.cli.command.StoreCommand;
import dev.holdfast.cli.command.VersionCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All commands, by name. A switch, so that only the class of the one that is asked for is loaded. */
final class Commands {
    /** In the order of the help. */
    static final List<String> NAMES = List.of(
            "run", "once", "elect", "acquire", "renew", "release", "done", "reopen", "delete", "evict", "set", "show", "ls",
            "store", "bench", "completion", "version", "help");

    private Commands() {}

    static @Nullable Command named(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "once" -> new OnceCommand();
            case "elect" -> new ElectCommand();
            case "acquire" -> new AcquireCommand();
            case "renew" -> new RenewCommand();
            case "release" -> new ReleaseCommand();
            case "done" -> new DoneCommand();
            case "reopen" -> new ReopenCommand();
            case "delete" -> new DeleteCommand();
            case "evict" -> new EvictCommand();
            case "set" -> new SetCommand();
            case "show" -> new ShowCommand();
            case "ls" -> new LsCommand();
            case "store" -> new StoreCommand();
            case "bench" -> new BenchCommand();
            case "completion" -> new CompletionCommand();
            case "version" -> new VersionCommand();
            case "help" -> new HelpCommand();
            default -> null;
        };
    }
}
