package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.store.Stores;
import dev.holdfast.spi.StoreSetup;

/** Creates what the store needs. */
final class StoreInitCommand extends Command {
    StoreInitCommand() {
        super("init", "", "Create the file or the tables that the store needs, or bring them up to date.");
        describe(
                "Most stores do this by themselves when they are first opened. Needed where those who use the store may not"
                        + " create anything.");
        examples("holdfast store init --store postgresql://admin@db/app");
    }

    @Override
    public int run(Context context) {
        String url = context.settings().store();
        if (Stores.isServer(url)) {
            throw new IllegalArgumentException(
                    "store: " + url + " (expected: the store itself, as a server prepares its own)");
        }
        if (Stores.provider(url) instanceof StoreSetup setup) {
            setup.init(url, context.console()::note);
        } else {
            context.open().close();
            context.console().note("the store opens; there is nothing to prepare");
        }
        return ExitCode.OK;
    }
}
