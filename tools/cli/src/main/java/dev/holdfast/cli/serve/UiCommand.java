package dev.holdfast.cli.serve;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.config.StoreOpener;
import java.io.IOException;
import java.net.InetSocketAddress;

/** {@code ui}: shows the dashboard of any store in a browser. */
public final class UiCommand extends CliCommand {
    private final CommandOption<Boolean> admin = CommandOption.flag(
            spec(), "Allow changes: evict, release, reopen and delete keys, and give orders to fleets.", "--admin");
    private final CommandOption<Boolean> noOpen =
            CommandOption.flag(spec(), "Print the address, and do not open a browser.", "--no-open");
    private final CommandOption<String> listen = CommandOption.text(
            spec(), "HOST:PORT", "Address to listen on. Default: a free port of 127.0.0.1.", "--listen");

    public UiCommand() {
        super("ui", "", "Show the leases of a store in a browser.");
        describe(
                "Starts a server for the dashboard alone, and opens the page. The address contains a code that works once and"
                        + " for two minutes, so no other user of this machine can open the page. Without --admin, the page only"
                        + " shows and changes nothing. If the store is a server, its own dashboard is opened. Ctrl-C stops.");
        examples(
                "holdfast ui",
                "holdfast ui --store postgresql://app@db/app --admin",
                "holdfast ui --no-open --listen 127.0.0.1:8080");
    }

    @Override
    public boolean isService() {
        return true;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException, IOException {
        InetSocketAddress address = ServeCommand.address(listen.or("127.0.0.1:0"));
        BrowserLauncher browser = new BrowserLauncher(context.console().environment(), !noOpen.or(false));
        if (StoreOpener.isServer(context.settings().store())) {
            openServer(context, browser);
        } else {
            // A separate class: the server's libraries are on the class path only for this command.
            DashboardLifecycle.run(context, address, admin.or(false), browser);
        }
        return ExitCode.OK;
    }

    /** The dashboard of a server that runs already. People log in to it with a token. */
    private static void openServer(CommandContext context, BrowserLauncher browser) {
        String store = context.settings().store();
        String url = store.replaceFirst("[?#].*$", "").replaceFirst("/+$", "") + "/ui/";
        boolean isOpened = browser.openAddress(url);
        context.console()
                .print("holdfast: " + (isOpened ? "opened " : "dashboard at ")
                        + context.console().withoutSecrets(url));
    }
}
