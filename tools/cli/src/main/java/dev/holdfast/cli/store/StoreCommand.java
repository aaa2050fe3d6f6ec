package dev.holdfast.cli.store;

import dev.holdfast.cli.command.CommandGroup;

/** {@code store}: commands for the store itself. */
public final class StoreCommand extends CommandGroup {
    public StoreCommand() {
        super(
                "store",
                "check|init|upgrade",
                "Check, create or upgrade the store.",
                "holdfast store check, holdfast store init, or holdfast store upgrade",
                new StoreCheckCommand(),
                new StoreInitCommand(),
                new StoreUpgradeCommand());
    }
}
