package dev.holdfast.cli.serve;

import dev.holdfast.cli.command.CliCommand;
import dev.holdfast.cli.command.CommandContext;
import dev.holdfast.cli.command.CommandFailure;
import dev.holdfast.cli.command.CommandOption;
import dev.holdfast.cli.command.ExitCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/** {@code serve}: serves the leases of a store to clients of any language. */
public final class ServeCommand extends CliCommand {
    private final CommandOption<String> listen = CommandOption.text(
            spec(),
            "HOST:PORT",
            "Address to listen on. Default: 127.0.0.1:7475. Port 0 selects a free port.",
            "--listen");
    private final CommandOption<Duration> drain = CommandOption.duration(
            spec(),
            "TIME",
            "How long running requests may take to finish after a stop signal. Default: 10s.",
            "--drain");
    private final ServeOptions edge = new ServeOptions(spec());

    public ServeCommand() {
        super("serve", "", "Serve the leases of a store over gRPC and HTTP/JSON, with a dashboard.");
        describe(
                "Any number of servers can share a store. SIGTERM or SIGINT stops the server: it rejects waiting acquires,"
                        + " finishes all other requests, and asks its clients to use another server. With -v it logs each"
                        + " request. The dashboard is at /ui/ on the same port. People log in to it with the same"
                        + " tokens as clients.");
        examples(
                "holdfast serve --store sqlite:/var/lib/holdfast.db",
                "holdfast serve --store postgresql://app@db/app --listen 127.0.0.1:7475 --drain 30s",
                "holdfast serve --listen 0.0.0.0:7475 --tokens tokens --tls-cert cert.pem --tls-key key.pem");
    }

    @Override
    public boolean isService() {
        return true;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        // A separate class: the server's libraries are on the class path only for this command.
        InetSocketAddress address = address(listen.or("127.0.0.1:7475"));
        ServerLifecycle.run(context, address, drain.or(Duration.ofSeconds(10)), edge);
        return ExitCode.OK;
    }

    /** Parses the address of {@code --listen}, such as {@code 127.0.0.1:7475} or {@code [::1]:7475}. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= 65_535) {
                return new InetSocketAddress(InetAddress.getAllByName(text.substring(0, colon))[0], port);
            }
        } catch (NumberFormatException | UnknownHostException e) {
            // Rejected below.
        }
        throw CommandFailure.usage("--listen: " + text + " (expected: HOST:PORT)");
    }
}
