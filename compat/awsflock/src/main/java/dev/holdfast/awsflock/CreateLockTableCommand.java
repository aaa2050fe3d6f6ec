package dev.holdfast.awsflock;

import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.dynamodb.DynamoStoreProvider;
import java.io.PrintStream;

/** {@code awsflock create-table}. An existing table is an error, as in awsflock. */
final class CreateLockTableCommand extends LockCommand {
    CreateLockTableCommand() {
        super("create-table", "", "Create the table and set its time to live.");
        spec().aliases("table-create"); // The name in awsflock's README.
        describe("Exit code 1 if the table already exists.");
        examples("awsflock create-table --tablename locks");
        onDynamo("CreateTable", "DescribeTable", "UpdateTimeToLive");
    }

    @Override
    int runLock(CommandContext context) {
        String url = table.url(context);
        PrintStream out = context.console().out();
        // Prints its first text only after the table was created, so that a failure prints nothing to stdout.
        Progress creating = new Progress(out, "'" + table.name(context) + "' create in progress.");
        DynamoStoreProvider.createTable(url, creating);
        creating.done();
        Progress expiring = new Progress(out, "Setting TTL config on '" + table.name(context) + "'.");
        DynamoStoreProvider.expireItems(url, expiring);
        expiring.done();
        return ExitCode.OK;
    }

    /** Progress line in awsflock's format, with a dot for every poll of the table. */
    private static final class Progress implements Runnable {
        private final PrintStream out;
        private final String text;
        private boolean begun;

        Progress(PrintStream out, String text) {
            this.out = out;
            this.text = text;
        }

        @Override
        public void run() {
            out.print(begun ? "." : text + " Waiting for active status...");
            out.flush();
            begun = true;
        }

        void done() {
            out.println("OK");
        }
    }
}
