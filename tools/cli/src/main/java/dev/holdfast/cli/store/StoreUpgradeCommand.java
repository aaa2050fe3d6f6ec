package dev.holdfast.cli.store;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.store.StoreSetup;

/** {@code store upgrade}: upgrades the tables of an existing store to the newest version. */
final class StoreUpgradeCommand extends CliCommand {
    StoreUpgradeCommand() {
        super("store upgrade", "", "Upgrade the tables of an existing store to the newest version.");
        describe(
                "Opening a store never upgrades it. Upgrade the processes first, then the store: newer processes can use an"
                        + " old store, but older processes may not be able to use an upgraded one. The last line of the output"
                        + " lists the versions that can. The upgrade may take long; it keeps the data.");
        examples("holdfast store upgrade --store postgresql://admin@db/app");
        onDynamo("DescribeTable", "DescribeTimeToLive", "UpdateTimeToLive");
    }

    @Override
    public int run(CommandContext context) {
        if (context.provider("a server does not upgrade it") instanceof StoreSetup setup) {
            String url = context.settings().store();
            context.console().showProgress(progress -> setup.upgrade(url, progress));
        } else {
            context.console().note("stores of this kind have nothing to upgrade");
        }
        return ExitCode.OK;
    }
}
