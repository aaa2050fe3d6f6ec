package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.LoopbackPorts;
import dev.holdfast.chaos.process.PostgresInstance;
import dev.holdfast.chaos.process.PostgresPair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Backends on PostgreSQL: one server, or a primary with a synchronous standby. */
final class PostgresStart {
    private PostgresStart() {}

    static ChaosBackend single(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException {
        PostgresInstance server = server(folder, open);
        return behindProxies(folder, clients, open, List.of(server.port()), faults(server));
    }

    /** Clients know the addresses of both servers, and use the primary among them. */
    static ChaosBackend failover(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException {
        PostgresPair pair = open.add(PostgresPair.start(folder));
        return behindProxies(
                folder,
                clients,
                open,
                pair.ports(),
                List.of(
                        new ActionFault(
                                "primary killed, standby promoted",
                                "failover",
                                random -> pair.failOver(),
                                pair::restore),
                        new ActionFault(
                                "standby killed", "standby killed", random -> pair.killStandby(), pair::restore)));
    }

    static PostgresInstance server(Path folder, ClosingStack open) throws IOException, InterruptedException {
        PostgresInstance server =
                open.add(PostgresInstance.prepare(folder.resolve("postgres.log"), LoopbackPorts.next()));
        server.create();
        server.start();
        return server;
    }

    /** The faults of one server, which recovers with its data. */
    static List<ChaosFault> faults(PostgresInstance server) {
        return List.of(
                new ActionFault("database killed", "database killed", random -> server.kill(), server::start),
                new ActionFault(
                        "database shut down at once",
                        "database stopped",
                        random -> server.stopImmediately(),
                        server::start),
                new ActionFault(
                        "session of the database killed",
                        "database session killed",
                        random -> server.killOneSession(),
                        server::start),
                new ActionFault("database paused", "database paused", random -> server.pause(), server::start));
    }

    static ChaosBackend behindProxies(
            Path folder, int clients, ClosingStack open, List<Integer> ports, List<ChaosFault> own)
            throws IOException, InterruptedException {
        ClientProxies proxies = open.add(new ClientProxies(clients, ports));
        ClientClocks clocks = new ClientClocks(folder, clients);
        List<ChaosFault> faults = new ArrayList<>(own);
        faults.addAll(NetworkFaults.of(proxies));
        faults.addAll(clocks.faults());
        return new StartedBackend(client -> url(proxies.hosts(client)), clocks::environment, faults, open);
    }

    static String url(String hosts) {
        return "postgresql://postgres:postgres@" + hosts + "/postgres?schema=holdfast";
    }
}
