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

/** Serves the leases of a store to clients of any language. */
public final class ServeCommand extends CliCommand {
    private final CliOption<String> listen = CliOption.text(
            spec(), "HOST:PORT", "Where to listen; 127.0.0.1:7475 unless said. A port of 0 is any.", "--listen");
    private final CliOption<Duration> drain = CliOption.of(
            spec(),
            Duration.class,
            DurationParser::parse,
            "TIME",
            "How long to finish what is running when told to end; 10s unless said.",
            "--drain");
    private final ServeOptions edge = new ServeOptions(spec());

    public ServeCommand() {
        super("serve", "", "Serve the leases of a store over gRPC and HTTP/JSON.");
        describe(
                "Any number of servers may share a store. Ended by SIGTERM or SIGINT: it refuses acquires that wait,"
                        + " finishes what else is running, and tells its clients to go elsewhere. With -v it logs a line for each request.");
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
        // In a class of its own, as only here are its libraries on the class path.
        ServerRun.run(
                commandContext,
                ListenAddress.parse(listen.or("127.0.0.1:7475")),
                drain.or(Duration.ofSeconds(10)),
                edge);
        return ExitCode.OK;
    }
}
