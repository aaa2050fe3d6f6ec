package dev.holdfast.cli;

import dev.holdfast.cli.awsflock.AwsFlockCommand;
import dev.holdfast.cli.command.AcquireCommand;
import dev.holdfast.cli.command.DeleteCommand;
import dev.holdfast.cli.command.DoneCommand;
import dev.holdfast.cli.command.ElectCommand;
import dev.holdfast.cli.command.EvictCommand;
import dev.holdfast.cli.command.LsCommand;
import dev.holdfast.cli.command.OnceCommand;
import dev.holdfast.cli.command.ReleaseCommand;
import dev.holdfast.cli.command.RenewCommand;
import dev.holdfast.cli.command.ReopenCommand;
import dev.holdfast.cli.command.RunCommand;
import dev.holdfast.cli.command.SetCommand;
import dev.holdfast.cli.command.ShowCommand;
import dev.holdfast.cli.command.admin.BenchCommand;
import dev.holdfast.cli.command.admin.CompletionCommand;
import dev.holdfast.cli.command.admin.HelpCommand;
import dev.holdfast.cli.command.admin.ImportCommand;
import dev.holdfast.cli.command.admin.ServeCommand;
import dev.holdfast.cli.command.admin.StoreCommand;
import dev.holdfast.cli.command.admin.TokenCommand;
import dev.holdfast.cli.command.admin.VersionCommand;
import dev.holdfast.cli.command.fleet.FleetCommand;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Registry of all commands by name. */
final class CommandTable {
    /** The names in the order of the help. */
    static final List<String> NAMES = List.of(
            "run",
            "once",
            "elect",
            "fleet",
            "acquire",
            "renew",
            "release",
            "done",
            "reopen",
            "delete",
            "evict",
            "set",
            "show",
            "ls",
            "store",
            "serve",
            "token",
            "awsflock",
            "import",
            "bench",
            "completion",
            "version",
            "help");

    private CommandTable() {}

    static @Nullable CliCommand named(String name) {
        Supplier<CliCommand> maker = maker(name);
        return maker == null ? null : maker.get();
    }

    /**
     * Returns a supplier instead of a command. The JVM would load all command classes to verify a method that returns
     * one of them.
     */
    private static @Nullable Supplier<CliCommand> maker(String name) {
        return switch (name) {
            case "run" -> RunCommand::new;
            case "once" -> OnceCommand::new;
            case "elect" -> ElectCommand::new;
            case "fleet" -> FleetCommand::new;
            case "acquire" -> AcquireCommand::new;
            case "renew" -> RenewCommand::new;
            case "release" -> ReleaseCommand::new;
            case "done" -> DoneCommand::new;
            case "reopen" -> ReopenCommand::new;
            case "delete" -> DeleteCommand::new;
            case "evict" -> EvictCommand::new;
            case "set" -> SetCommand::new;
            case "show" -> ShowCommand::new;
            case "ls" -> LsCommand::new;
            case "store" -> StoreCommand::new;
            case "serve" -> ServeCommand::new;
            case "token" -> TokenCommand::new;
            case "awsflock" -> AwsFlockCommand::new;
            case "import" -> ImportCommand::new;
            case "bench" -> BenchCommand::new;
            case "completion" -> CompletionCommand::new;
            case "version" -> VersionCommand::new;
            case "help" -> HelpCommand::new;
            default -> null;
        };
    }
}
