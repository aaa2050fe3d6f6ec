package dev.holdfast.cli.serve;

import dev.holdfast.Leases;
import dev.holdfast.cli.BuildInfo;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.run.SystemSignal;
import dev.holdfast.dashboard.Dashboard;
import dev.holdfast.dashboard.DashboardOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.support.ListenerGroup;
import dev.holdfast.support.StoreUrl;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Server process: runs until a signal stops it. */
final class ServerLifecycle {
    /** Maximum time reserved after the requests to close the store and end the process. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private ServerLifecycle() {}

    static void run(CommandContext context, InetSocketAddress listen, Duration drain, ServeOptions flags)
            throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT")) {
            SystemSignal.handle(signal, ended::countDown);
        }
        boolean hasDashboard = !flags.withoutDashboard.or(false);
        try (ServerPerimeter perimeter = new ServerPerimeter(PerimeterSettings.of(flags))) {
            Dashboard dashboard = new Dashboard(dashboardOptions(context, perimeter, listen));
            try (Leases leases = context.openToHold(
                            hasDashboard
                                    ? new ListenerGroup(List.of(perimeter.listener(), dashboard.listener()))
                                    : perimeter.listener());
                    HoldfastServer server = server(perimeter, leases, listen, drain, hasDashboard ? dashboard : null)) {
                server.start();
                String url = url(flags.certificate.isGiven() ? "https" : "http", server.address());
                context.console()
                        .print("holdfast: serving "
                                + context.console()
                                        .withoutSecrets(context.settings().store()) + " at " + url);
                if (hasDashboard) {
                    context.console().print("holdfast: dashboard at " + url + "/ui/");
                }
                context.console().flush();
                ended.await();
                haltAfter(drain);
                context.console().note("shutting down; running requests have " + drain.toSeconds() + "s to finish");
            }
        }
    }

    private static DashboardOptions dashboardOptions(
            CommandContext context, ServerPerimeter perimeter, InetSocketAddress listen) {
        String title = listen.getPort() == 0 ? "" : listen.getHostString() + ":" + listen.getPort();
        return new DashboardOptions(
                perimeter.sessions(),
                perimeter.vitals(),
                BuildInfo.VERSION,
                StoreUrl.parse(context.settings().store()).scheme(),
                title);
    }

    private static HoldfastServer server(
            ServerPerimeter perimeter,
            Leases leases,
            InetSocketAddress listen,
            Duration drain,
            @Nullable Dashboard dashboard) {
        HoldfastServer.Builder builder =
                perimeter.around(HoldfastServer.builder().leases(leases).drain(forRequests(drain)), listen);
        return (dashboard == null ? builder : builder.with(dashboard)).build();
    }

    static String url(String scheme, InetSocketAddress at) {
        String host = at.getAddress().getHostAddress();
        return scheme + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort();
    }

    /** The part of {@code drain} that is available to requests. */
    private static Duration forRequests(Duration drain) {
        Duration rest = drain.dividedBy(5);
        return drain.minus(rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST);
    }

    /**
     * Halts the process when {@code drain} is over, even if a client or the store still blocks it. That is safe, because
     * a server has no state outside of the store.
     */
    private static void haltAfter(Duration drain) {
        Thread thread = new Thread(
                () -> {
                    try {
                        Thread.sleep(drain.toMillis());
                    } catch (InterruptedException e) {
                        return;
                    }
                    Runtime.getRuntime().halt(ExitCode.OK);
                },
                "holdfast-end");
        thread.setDaemon(true);
        thread.start();
    }
}
