package dev.holdfast.cli.option;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Options of {@code serve} for authentication, TLS and limits. The package {@code serve} interprets them. */
public final class ServeOptions {
    private final CommandSpec to;

    public final CliOption<String> tokens;
    public final CliOption<String> certificate;
    public final CliOption<String> key;
    public final CliOption<String> clientAuthorities;
    public final CliOption<Boolean> insecure;
    public final CliOption<List<String>> allowedHosts;
    public final CliOption<Integer> connections;
    public final CliOption<Integer> requests;
    public final CliOption<Integer> waitersPerClient;
    public final CliOption<Integer> waitersPerKey;
    public final CliOption<Integer> watchesPerClient;
    public final CliOption<Integer> sessionsPerClient;
    public final CliOption<Duration> patience;

    public ServeOptions(CommandSpec to) {
        this.to = to;
        tokens = file("Tokens of the clients; see holdfast token new. Reloaded when it changes.", "--tokens");
        certificate = file("Certificate of the server, PEM. Reloaded when it changes.", "--tls-cert");
        key = file("Private key of the server, PEM.", "--tls-key");
        clientAuthorities = file("Accept client certificates of these authorities, PEM.", "--tls-client-ca");
        insecure = CliOption.flag(to, "Accept unauthenticated connections from other hosts.", "--insecure");
        allowedHosts = CliOption.texts(
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
        patience = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TIME",
                "How long a client may take to send a request or to read a response. Default: 30s.",
                "--patience");
    }

    private CliOption<String> file(String description, String name) {
        return CliOption.text(to, "FILE", description, name);
    }

    private CliOption<Integer> number(String description, String name) {
        return CliOption.of(to, Integer.class, ServeOptions::number, "N", description, name);
    }

    private static Integer number(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw ExpectedValue.of(text, "a whole number");
        }
    }
}
