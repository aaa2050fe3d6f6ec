package dev.holdfast.cli.serve;

import dev.holdfast.Leases;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.ExitCode;
import dev.holdfast.cli.run.SystemSignal;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.ServerPerimeter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

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
        try (ServerPerimeter perimeter = new ServerPerimeter(PerimeterSettings.of(flags));
                Leases leases = context.openToHold(perimeter.listener());
                HoldfastServer server = perimeter
                        .around(HoldfastServer.builder().leases(leases).drain(forRequests(drain)), listen)
                        .build()) {
            server.start();
            InetSocketAddress at = server.address();
            context.console()
                    .print("holdfast: serving "
                            + context.console()
                                    .withoutSecrets(context.settings().store()) + " at "
                            + (flags.certificate.isGiven() ? "https" : "http") + "://"
                            + at.getAddress().getHostAddress() + ":" + at.getPort());
            context.console().flush();
            ended.await();
            haltAfter(drain);
            context.console().note("shutting down; running requests have " + drain.toSeconds() + "s to finish");
        }
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
