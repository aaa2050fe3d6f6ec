package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.store.StoreOpener;
import dev.holdfast.store.StoreSetup;

/** Brings an existing store to the newest version. */
final class StoreUpgradeCommand extends CliCommand {
    StoreUpgradeCommand() {
        super("upgrade", "", "Bring the tables of an existing store to the newest version.");
        describe(
                "Opening a store never does this. Upgrade the processes first, then the store: newer processes use an old"
                        + " store, but older processes may not be able to use a new one. The last line says which may. It may take"
                        + " long; what is in the store stays.");
        examples("holdfast store upgrade --store postgresql://admin@db/app");
        onDynamo("DescribeTable", "DescribeTimeToLive", "UpdateTimeToLive");
    }

    @Override
    public int run(CommandContext commandContext) {
        String url = commandContext.settings().store();
        if (StoreOpener.isServer(url)) {
            throw new IllegalArgumentException(
                    "store: " + url + " (expected: the store itself, as a server does not upgrade it)");
        }
        if (StoreOpener.provider(url) instanceof StoreSetup setup) {
            StoreInitCommand.showing(commandContext, progress -> setup.upgrade(url, progress));
        } else {
            commandContext.console().note("stores of this kind have nothing to upgrade");
        }
        return ExitCode.OK;
    }
}
