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

/** Creates what the store needs. */
final class StoreInitCommand extends CliCommand {
    private final CliOption<Boolean> print =
            CliOption.flag(spec(), "Print what to run instead, for those who create things by other means.", "--print");

    StoreInitCommand() {
        super("init", "", "Create the file or the tables that the store needs.");
        describe(
                "Most stores do this by themselves when they are first opened; a DynamoDB table is never created unless by"
                        + " this. Needed also where those who use the store may not create anything. A store that is there"
                        + " already stays as it is: see holdfast store upgrade.");
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
                    "store: " + url + " (expected: the store itself, as a server prepares its own)");
        }
        StoreProvider provider = StoreOpener.provider(url);
        if (print.or(false)) {
            print(commandContext, provider, url);
        } else if (provider instanceof StoreSetup setup) {
            showing(commandContext, progress -> setup.init(url, progress));
        } else {
            commandContext.open().close();
            commandContext.console().note("the store opens; there is nothing to prepare");
        }
        return ExitCode.OK;
    }

    private static void print(CommandContext commandContext, StoreProvider provider, String url) {
        if (!(provider instanceof SetupText texts)) {
            throw CommandFailure.usage("--print (expected: a store of a kind that others prepare, such as dynamodb)");
        }
        commandContext.console().out().print(texts.setupText(url));
    }

    /** On a terminal, one line that changes; what came last stays. */
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
