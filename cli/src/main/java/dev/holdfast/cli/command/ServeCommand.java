package dev.holdfast.cli.command;

import dev.holdfast.cli.Command;
import dev.holdfast.cli.Context;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.option.DurationText;
import dev.holdfast.cli.option.EdgeFlags;
import dev.holdfast.cli.option.ListenAddress;
import dev.holdfast.cli.option.Option;
import dev.holdfast.cli.serve.Serving;
import java.time.Duration;

/** Serves the leases of a store to clients of any language. */
public final class ServeCommand extends Command {
    private final Option<String> listen = Option.text(
            spec(), "HOST:PORT", "Where to listen; 127.0.0.1:7475 unless said. A port of 0 is any.", "--listen");
    private final Option<Duration> drain = Option.of(
            spec(),
            Duration.class,
            DurationText::parse,
            "TIME",
            "How long to finish what is running when told to end; 10s unless said.",
            "--drain");
    private final EdgeFlags edge = new EdgeFlags(spec());

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
    public int run(Context context) throws InterruptedException {
        // In a class of its own, as only here are its libraries on the class path.
        Serving.run(context, ListenAddress.parse(listen.or("127.0.0.1:7475")), drain.or(Duration.ofSeconds(10)), edge);
        return ExitCode.OK;
    }
}
