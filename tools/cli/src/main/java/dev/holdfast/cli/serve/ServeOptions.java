package dev.holdfast.cli.serve;

import dev.holdfast.cli.command.CommandOption;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Options of {@code serve} for authentication, TLS and limits. {@link ServerLifecycle} interprets them. */
final class ServeOptions {
    private final CommandSpec to;

    final CommandOption<String> tokens;
    final CommandOption<String> certificate;
    final CommandOption<String> key;
    final CommandOption<String> clientAuthorities;
    final CommandOption<Boolean> insecure;
    final CommandOption<List<String>> allowedHosts;
    final CommandOption<Integer> connections;
    final CommandOption<Integer> requests;
    final CommandOption<Integer> waitersPerClient;
    final CommandOption<Integer> waitersPerKey;
    final CommandOption<Integer> watchesPerClient;
    final CommandOption<Integer> sessionsPerClient;
    final CommandOption<Duration> patience;
    final CommandOption<Boolean> withoutDashboard;

    ServeOptions(CommandSpec to) {
        this.to = to;
        tokens = file("Tokens of the clients; see holdfast token new. Reloaded when it changes.", "--tokens");
        certificate = file("Certificate of the server, PEM. Reloaded when it changes.", "--tls-cert");
        key = file("Private key of the server, PEM.", "--tls-key");
        clientAuthorities = file("Accept client certificates of these authorities, PEM.", "--tls-client-ca");
        insecure = CommandOption.flag(to, "Accept unauthenticated connections from other hosts.", "--insecure");
        allowedHosts = CommandOption.texts(
                to,
                "NAME",
                "An additional host name of this server, besides localhost, for requests without authentication; or the"
                        + " host of a web site with pages that may call the server. May be repeated.",
                "--allowed-host");
        connections = number("Maximum number of connections. Default: 20000.", "--max-connections");
        requests = number("Maximum number of concurrent requests. Default: 50000.", "--max-requests");
        waitersPerClient =
                number("Maximum number of waiting acquires per client. Default: 5000.", "--max-waiters-per-client");
        waitersPerKey = number("Maximum number of waiting acquires per key. Default: 10000.", "--max-waiters-per-key");
        watchesPerClient = number("Maximum number of watches per client. Default: 1000.", "--max-watches-per-client");
        sessionsPerClient =
                number("Maximum number of sessions per client. Default: 1000.", "--max-sessions-per-client");
        patience = CommandOption.duration(
                to,
                "TIME",
                "How long a client may take to send a request or to read a response. Default: 30s.",
                "--patience");
        withoutDashboard = CommandOption.flag(to, "Do not serve the dashboard at /ui/.", "--no-ui");
    }

    private CommandOption<String> file(String description, String name) {
        return CommandOption.text(to, "FILE", description, name);
    }

    private CommandOption<Integer> number(String description, String name) {
        return CommandOption.of(to, Integer.class, ServeOptions::number, "N", description, name);
    }

    private static Integer number(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw CommandOption.invalid(text, "a whole number");
        }
    }
}
