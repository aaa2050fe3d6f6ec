package dev.holdfast.cli.serve;

import dev.holdfast.Leases;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.child.SystemSignal;
import dev.holdfast.cli.option.EdgeFlags;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.edge.Edge;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Runs a server until a signal ends it. */
public final class Serving {
    private Serving() {}

    public static void run(Context context, InetSocketAddress listen, Duration drain, EdgeFlags flags)
            throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT")) {
            SystemSignal.handle(signal, ended::countDown);
        }
        try (Edge edge = new Edge(EdgeSettings.of(flags));
                Leases leases = context.openToHold(edge.listener());
                HoldfastServer server = edge.around(
                                HoldfastServer.builder().leases(leases).drain(EndDeadline.forRequests(drain)), listen)
                        .build()) {
            server.start();
            InetSocketAddress at = server.address();
            context.console()
                    .out()
                    .println("holdfast: serving "
                            + context.console()
                                    .withoutSecrets(context.settings().store()) + " at "
                            + (flags.certificate.isGiven() ? "https" : "http") + "://"
                            + at.getAddress().getHostAddress() + ":" + at.getPort());
            context.console().out().flush();
            ended.await();
            EndDeadline.begin(drain);
            context.console().note("ending; what is running has " + drain.toSeconds() + "s");
        }
    }
}
