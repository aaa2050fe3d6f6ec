package dev.holdfast.cli.command.admin;

import dev.holdfast.cli.CliCommand;
import dev.holdfast.cli.CommandContext;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.CliOption;
import dev.holdfast.cli.option.DurationParser;
import dev.holdfast.cli.option.ListenAddress;
import dev.holdfast.cli.option.ServeOptions;
import dev.holdfast.cli.serve.ServerRun;
import java.time.Duration;

/** {@code serve}: serves the leases of a store to clients of any language. */
public final class ServeCommand extends CliCommand {
    private final CliOption<String> listen = CliOption.text(
            spec(),
            "HOST:PORT",
            "Address to listen on. Default: 127.0.0.1:7475. Port 0 selects a free port.",
            "--listen");
    private final CliOption<Duration> drain = CliOption.of(
            spec(),
            Duration.class,
            DurationParser::parse,
            "TIME",
            "How long running requests may take to finish after a stop signal. Default: 10s.",
            "--drain");
    private final ServeOptions edge = new ServeOptions(spec());

    public ServeCommand() {
        super("serve", "", "Serve the leases of a store over gRPC and HTTP/JSON.");
        describe(
                "Any number of servers can share a store. SIGTERM or SIGINT stops the server: it rejects waiting acquires,"
                        + " finishes all other requests, and asks its clients to use another server. With -v it logs each"
                        + " request.");
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
    public int run(CommandContext commandContext) throws InterruptedException {
        // A separate class: the server's libraries are on the class path only for this command.
        ServerRun.run(
                commandContext,
                ListenAddress.parse(listen.or("127.0.0.1:7475")),
                drain.or(Duration.ofSeconds(10)),
                edge);
        return ExitCode.OK;
    }
}
