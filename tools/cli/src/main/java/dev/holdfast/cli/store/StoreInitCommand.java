package dev.holdfast.cli.store;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.store.StoreSetup;
import java.util.Optional;

/** {@code store init}: creates the file or the tables of the store. */
final class StoreInitCommand extends CliCommand {
    private final CommandOption<Boolean> print = CommandOption.flag(
            spec(), "Print the definition of the store instead, to create it with another tool.", "--print");

    StoreInitCommand() {
        super("store init", "", "Create the file or the tables that the store needs.");
        describe(
                "Most stores are created when they are first opened. Only this command creates a DynamoDB table. It is also"
                        + " needed if the users of the store have no permission to create tables. An existing store is not"
                        + " changed: see holdfast store upgrade.");
        examples(
                "holdfast store init --store postgresql://admin@db/app",
                "holdfast store init --store 'dynamodb://leases?region=eu-central-1'",
                "holdfast store init --store 'dynamodb://leases?billing=provisioned&read=5&write=5' --print");
        onDynamo("CreateTable", "DescribeTable", "DescribeTimeToLive", "UpdateTimeToLive");
    }

    @Override
    public int run(CommandContext context) {
        String url = context.settings().store();
        StoreProvider provider = context.provider("a server prepares its own");
        if (print.or(false)) {
            Optional<String> text = provider instanceof StoreSetup setup ? setup.setupText(url) : Optional.empty();
            context.console()
                    .out()
                    .print(text.orElseThrow(() -> new IllegalArgumentException(
                            "--print (expected: a store that other tools can create, such as dynamodb)")));
        } else if (provider instanceof StoreSetup setup) {
            context.console().showProgress(progress -> setup.init(url, progress));
        } else {
            context.open().close();
            context.console().note("the store opens; nothing to create");
        }
        return ExitCode.OK;
    }
}
