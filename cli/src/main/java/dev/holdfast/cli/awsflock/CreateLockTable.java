package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.store.Stores;
import dev.holdfast.spi.StoreSetup;

/** {@code awsflock create-table}. */
final class CreateLockTable extends Command {
    private final LockTable table = new LockTable(spec());

    CreateLockTable() {
        super("create-table", "", "Create the table, and set its time to live.");
        spec().usageMessage().customSynopsis("awsflock create-table [OPTIONS]");
        examples("awsflock create-table --tablename locks");
        onDynamo("CreateTable", "DescribeTable", "DescribeTimeToLive", "UpdateTimeToLive");
    }

    @Override
    public int run(Context context) {
        String url = table.url(context);
        StoreSetup setup = (StoreSetup) Stores.provider(url);
        setup.init(url, text -> Locks.tell(context, text));
        return ExitCode.OK;
    }
}
