package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.store.StoreOpener;
import dev.holdfast.store.SetupText;
import dev.holdfast.store.StoreProvider;
import dev.holdfast.store.StoreSetup;
import java.util.function.Consumer;

/** {@code store init}: creates the file or the tables of the store. */
final class StoreInitCommand extends CliCommand {
    private final CliOption<Boolean> print = CliOption.flag(
            spec(), "Print the definition of the store instead, to create it with another tool.", "--print");

    StoreInitCommand() {
        super("init", "", "Create the file or the tables that the store needs.");
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
    public int run(CommandContext commandContext) {
        String url = commandContext.settings().store();
        if (StoreOpener.isServer(url)) {
            throw new IllegalArgumentException(
                    "store: " + url + " (expected: the store itself, because a server prepares its own)");
        }
        StoreProvider provider = StoreOpener.provider(url);
        if (print.or(false)) {
            print(commandContext, provider, url);
        } else if (provider instanceof StoreSetup setup) {
            showing(commandContext, progress -> setup.init(url, progress));
        } else {
            commandContext.open().close();
            commandContext.console().note("the store opens; nothing to create");
        }
        return ExitCode.OK;
    }

    private static void print(CommandContext commandContext, StoreProvider provider, String url) {
        if (!(provider instanceof SetupText texts)) {
            throw CommandFailure.usage("--print (expected: a store that other tools can create, such as dynamodb)");
        }
        commandContext.console().out().print(texts.setupText(url));
    }

    /** Shows the progress of {@code work}: on a terminal as one changing line, of which the last text stays. */
    static void showing(CommandContext commandContext, Consumer<Consumer<String>> work) {
        StringBuilder last = new StringBuilder();
        try (ProgressLine line = new ProgressLine(commandContext.console())) {
            work.accept(text -> {
                last.replace(0, last.length(), text);
                if (line.isShown()) {
                    line.show(text);
                } else {
                    commandContext.console().note(text);
                }
            });
            if (!line.isShown()) {
                return;
            }
        }
        commandContext.console().note(last.toString());
    }
}
