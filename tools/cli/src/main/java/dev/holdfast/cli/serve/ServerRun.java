package dev.holdfast.cli.serve;

import dev.holdfast.Leases;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.child.SystemSignal;
import dev.holdfast.cli.option.ServeOptions;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.operations.ServerPerimeter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Server process: runs until a signal stops it. */
public final class ServerRun {
    private ServerRun() {}

    public static void run(CommandContext commandContext, InetSocketAddress listen, Duration drain, ServeOptions flags)
            throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT")) {
            SystemSignal.handle(signal, ended::countDown);
        }
        try (ServerPerimeter serverPerimeter = new ServerPerimeter(PerimeterSettings.of(flags));
                Leases leases = commandContext.openToHold(serverPerimeter.listener());
                HoldfastServer server = serverPerimeter
                        .around(
                                HoldfastServer.builder().leases(leases).drain(ShutdownDeadline.forRequests(drain)),
                                listen)
                        .build()) {
            server.start();
            InetSocketAddress at = server.address();
            commandContext
                    .console()
                    .out()
                    .println("holdfast: serving "
                            + commandContext
                                    .console()
                                    .withoutSecrets(commandContext.settings().store()) + " at "
                            + (flags.certificate.isGiven() ? "https" : "http") + "://"
                            + at.getAddress().getHostAddress() + ":" + at.getPort());
            commandContext.console().out().flush();
            ended.await();
            ShutdownDeadline.begin(drain);
            commandContext.console().note("shutting down; running requests have " + drain.toSeconds() + "s to finish");
        }
    }
}
