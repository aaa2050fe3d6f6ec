package dev.holdfast.cli;

import dev.holdfast.cli.bench.BenchCommand;
import dev.holdfast.cli.command.AcquireCommand;
import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.DeleteCommand;
import dev.holdfast.cli.command.DoneCommand;
import dev.holdfast.cli.command.EvictCommand;
import dev.holdfast.cli.command.LsCommand;
import dev.holdfast.cli.command.ReleaseCommand;
import dev.holdfast.cli.command.RenewCommand;
import dev.holdfast.cli.command.ReopenCommand;
import dev.holdfast.cli.command.SetCommand;
import dev.holdfast.cli.command.ShowCommand;
import dev.holdfast.cli.command.WhyCommand;
import dev.holdfast.cli.fleet.FleetCommand;
import dev.holdfast.cli.importing.ImportCommand;
import dev.holdfast.cli.run.ElectCommand;
import dev.holdfast.cli.run.OnceCommand;
import dev.holdfast.cli.run.RunCommand;
import dev.holdfast.cli.serve.ServeCommand;
import dev.holdfast.cli.serve.TokenCommand;
import dev.holdfast.cli.serve.UiCommand;
import dev.holdfast.cli.store.StoreCommand;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Registry of all commands by name. */
final class CommandTable {
    /** The names in the order of the help. */
    static final List<String> NAMES = List.of(("run once elect fleet acquire renew release done reopen delete evict set"
                    + " show why ls store serve ui token awsflock import bench completion version help")
            .split(" "));

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
            case "why" -> WhyCommand::new;
            case "ls" -> LsCommand::new;
            case "store" -> StoreCommand::new;
            case "serve" -> ServeCommand::new;
            case "ui" -> UiCommand::new;
            case "token" -> TokenCommand::new;
            case "awsflock" -> added("dev.holdfast.awsflock.AwsFlockCommand");
            case "import" -> ImportCommand::new;
            case "bench" -> BenchCommand::new;
            case "completion" -> CompletionCommand::new;
            case "version" -> VersionCommand::new;
            case "help" -> HelpCommand::new;
            default -> null;
        };
    }

    /**
     * A command of a module that may be absent, found by the name of its class. A search with ServiceLoader would open
     * every jar of the class path.
     */
    private static @Nullable Supplier<CliCommand> added(String className) {
        try {
            Class<? extends CliCommand> type = Class.forName(className).asSubclass(CliCommand.class);
            CliCommand command = type.getConstructor().newInstance();
            return () -> command;
        } catch (ClassNotFoundException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(className, e);
        }
    }
}
