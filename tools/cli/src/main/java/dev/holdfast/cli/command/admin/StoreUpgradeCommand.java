package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.store.StoreOpener;
import dev.holdfast.store.StoreSetup;

/** {@code store upgrade}: upgrades the tables of an existing store to the newest version. */
final class StoreUpgradeCommand extends CliCommand {
    StoreUpgradeCommand() {
        super("upgrade", "", "Upgrade the tables of an existing store to the newest version.");
        describe(
                "Opening a store never upgrades it. Upgrade the processes first, then the store: newer processes can use an"
                        + " old store, but older processes may not be able to use an upgraded one. The last line of the output"
                        + " lists the versions that can. The upgrade may take long; it keeps the data.");
        examples("holdfast store upgrade --store postgresql://admin@db/app");
        onDynamo("DescribeTable", "DescribeTimeToLive", "UpdateTimeToLive");
    }

    @Override
    public int run(CommandContext commandContext) {
        String url = commandContext.settings().store();
        if (StoreOpener.isServer(url)) {
            throw new IllegalArgumentException(
                    "store: " + url + " (expected: the store itself, because a server does not upgrade it)");
        }
        if (StoreOpener.provider(url) instanceof StoreSetup setup) {
            StoreInitCommand.showing(commandContext, progress -> setup.upgrade(url, progress));
        } else {
            commandContext.console().note("stores of this kind have nothing to upgrade");
        }
        return ExitCode.OK;
    }
}
