package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import picocli.CommandLine;

/** {@code store check}, {@code store init} and {@code store upgrade}. */
public final class StoreCommand extends Command {
    public StoreCommand() {
        super("store", "check|init|upgrade", "Look at the store, create it, or upgrade it.");
        add(new StoreCheckCommand());
        add(new StoreInitCommand());
        add(new StoreUpgradeCommand());
    }

    private void add(Command part) {
        String name = part.spec().name();
        part.spec().usageMessage().customSynopsis("holdfast store " + name + " [OPTIONS]");
        spec().addSubcommand(name, new CommandLine(part.spec()));
    }

    @Override
    public int run(Context context) {
        throw CommandFailure.usage(
                "store (expected: holdfast store check, holdfast store init, or holdfast store upgrade)");
    }
}
