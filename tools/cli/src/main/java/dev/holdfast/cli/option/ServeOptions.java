package dev.holdfast.cli.option;

import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Who a server lets in, and how much of him. Only read here; what it means is {@code serve}'s. */
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
        tokens = file("Who is let in; see holdfast token new. Read again when it changes.", "--tokens");
        certificate = file("Certificate of the server, PEM. Read again when it changes.", "--tls-cert");
        key = file("Its private key, PEM.", "--tls-key");
        clientAuthorities = file("Authorities whose certificates clients may show, PEM.", "--tls-client-ca");
        insecure = CliOption.flag(to, "Listen beyond this host and let in whoever can reach it.", "--insecure");
        allowedHosts = CliOption.texts(
                to,
                "NAME",
                "A name of this server, beside localhost, that requests may use while there is no authentication, or of a"
                        + " site whose pages may call it. May be repeated.",
                "--allowed-host");
        connections = number("The most connections; 20000 unless said.", "--max-connections");
        requests = number("The most requests at a time; 50000 unless said.", "--max-requests");
        waitersPerClient =
                number("The most waiting acquires of a client; 5000 unless said.", "--max-waiters-per-client");
        waitersPerKey = number("The most waiting acquires of a key; 10000 unless said.", "--max-waiters-per-key");
        watchesPerClient = number("The most watches of a client; 1000 unless said.", "--max-watches-per-client");
        sessionsPerClient = number("The most sessions of a client; 1000 unless said.", "--max-sessions-per-client");
        patience = CliOption.of(
                to,
                Duration.class,
                DurationParser::parse,
                "TIME",
                "How long a client may take to send a request or to read an answer; 30s unless said.",
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
