package dev.holdfast.cli.serve;

import dev.holdfast.Leases;
import dev.holdfast.cli.BuildInfo;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.run.SystemSignal;
import dev.holdfast.dashboard.Dashboard;
import dev.holdfast.dashboard.DashboardOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.security.SessionTable;
import dev.holdfast.support.ListenerGroup;
import dev.holdfast.support.StoreUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * Server process for the dashboard of one user. It admits no caller except by a session that was opened with a code, so it is of no
 * use to other users of the machine.
 */
final class DashboardLifecycle {
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private DashboardLifecycle() {}

    static void run(CommandContext context, InetSocketAddress listen, boolean mayAdminister, BrowserLauncher browser)
            throws InterruptedException, IOException {
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT")) {
            SystemSignal.handle(signal, ended::countDown);
        }
        PerimeterOptions options = PerimeterOptions.builder().sessionsOnly(true).build();
        try (ServerPerimeter perimeter = new ServerPerimeter(options)) {
            SessionTable sessions = Objects.requireNonNull(perimeter.sessions());
            String store = context.settings().store();
            Dashboard dashboard = new Dashboard(new DashboardOptions(
                    sessions,
                    perimeter.vitals(),
                    BuildInfo.VERSION,
                    StoreUrl.parse(store).scheme(),
                    context.console().withoutSecrets(store)));
            try (Leases leases =
                            context.openToHold(new ListenerGroup(List.of(perimeter.listener(), dashboard.listener())));
                    HoldfastServer server = perimeter
                            .around(HoldfastServer.builder().leases(leases).drain(DRAIN), listen)
                            .with(dashboard)
                            .build()) {
                server.start();
                String url = ServerLifecycle.url("http", server.address()) + "/ui/";
                open(context, sessions, url, mayAdminister, browser);
                ended.await();
            }
        }
    }

    private static void open(
            CommandContext context, SessionTable sessions, String url, boolean mayAdminister, BrowserLauncher browser)
            throws IOException {
        String address = address(sessions, url, mayAdminister);
        boolean isOpened = browser.openPrivately(address);
        context.console()
                .print("holdfast: "
                        + (isOpened ? "opened the dashboard in the browser; if no page appears, open" : "open")
                        + " this address within two minutes:");
        context.console().print(address);
        context.console()
                .print("holdfast: the page " + (mayAdminister ? "may change leases" : "is read-only")
                        + "; Enter prints a new address, Ctrl-C stops");
        context.console().flush();
        printOnEnter(context, sessions, url, mayAdminister);
    }

    private static String address(SessionTable sessions, String url, boolean mayAdminister) {
        return url + "#code=" + sessions.issueCode(System.getProperty("user.name", "local user"), mayAdminister);
    }

    /** A code works once, so a second browser needs another. */
    private static void printOnEnter(CommandContext context, SessionTable sessions, String url, boolean mayAdminister) {
        Thread thread = new Thread(
                () -> {
                    try {
                        InputStream in = System.in;
                        for (int read = in.read(); read >= 0; read = in.read()) {
                            if (read == '\n') {
                                context.console().print(address(sessions, url, mayAdminister));
                                context.console().flush();
                            }
                        }
                    } catch (IOException e) {
                        // There is no input: the first address stays the only one.
                    }
                },
                "holdfast-ui-input");
        thread.setDaemon(true);
        thread.start();
    }
}
