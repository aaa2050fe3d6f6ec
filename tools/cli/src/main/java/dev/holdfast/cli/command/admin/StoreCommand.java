package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import picocli.CommandLine;

/** Parent of {@code store check}, {@code store init} and {@code store upgrade}. */
public final class StoreCommand extends CliCommand {
    public StoreCommand() {
        super("store", "check|init|upgrade", "Check, create or upgrade the store.");
        add(new StoreCheckCommand());
        add(new StoreInitCommand());
        add(new StoreUpgradeCommand());
    }

    private void add(CliCommand part) {
        String name = part.spec().name();
        part.spec().usageMessage().customSynopsis("holdfast store " + name + " [OPTIONS]");
        spec().addSubcommand(name, new CommandLine(part.spec()));
    }

    @Override
    public int run(CommandContext commandContext) {
        throw CommandFailure.usage(
                "store (expected: holdfast store check, holdfast store init, or holdfast store upgrade)");
    }
}
