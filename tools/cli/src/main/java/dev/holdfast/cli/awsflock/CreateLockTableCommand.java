package dev.holdfast.cli.awsflock;

import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.dynamodb.DynamoStoreProvider;
import java.io.PrintStream;

/** {@code awsflock create-table}. A table that is there is an error, as it is to awsflock. */
final class CreateLockTableCommand extends LockCommand {
    CreateLockTableCommand() {
        super("create-table", "", "Create the table, and set its time to live.");
        describe("Exit code 1 if it is there already.");
        examples("awsflock create-table --tablename locks");
        onDynamo("CreateTable", "DescribeTable", "UpdateTimeToLive");
    }

    @Override
    int runLock(CommandContext commandContext) {
        String url = table.url(commandContext);
        PrintStream out = commandContext.console().out();
        // Only when the table is known to be new, so that a failure prints nothing here.
        Progress creating = new Progress(out, "'" + table.name(commandContext) + "' create in progress.");
        DynamoStoreProvider.createTable(url, creating);
        creating.done();
        Progress expiring = new Progress(out, "Setting TTL config on '" + table.name(commandContext) + "'.");
        DynamoStoreProvider.expireItems(url, expiring);
        expiring.done();
        return ExitCode.OK;
    }

    /** A line of awsflock's, with a dot for every look at the table. */
    private static final class Progress implements Runnable {
        private final PrintStream out;
        private final String what;
        private boolean begun;

        Progress(PrintStream out, String what) {
            this.out = out;
            this.what = what;
        }

        @Override
        public void run() {
            out.print(begun ? "." : what + " Waiting for active status...");
            out.flush();
            begun = true;
        }

        void done() {
            out.println("OK");
        }
    }
}
