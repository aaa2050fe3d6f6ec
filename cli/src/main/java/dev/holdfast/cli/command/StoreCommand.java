package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.Context;
import picocli.CommandLine;

/** {@code store check} and {@code store init}. */
public final class StoreCommand extends Command {
    public StoreCommand() {
        super("store", "check|init", "Look at the store, or prepare it.");
        add(new StoreCheckCommand());
        add(new StoreInitCommand());
    }

    private void add(Command part) {
        String name = part.spec().name();
        part.spec().usageMessage().customSynopsis("holdfast store " + name + " [OPTIONS]");
        spec().addSubcommand(name, new CommandLine(part.spec()));
    }

    @Override
    public int run(Context context) {
        throw CommandFailure.usage("store (expected: holdfast store check, or holdfast store init)");
    }
}
