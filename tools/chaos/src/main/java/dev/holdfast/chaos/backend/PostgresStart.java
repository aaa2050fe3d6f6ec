package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.LoopbackPorts;
import dev.holdfast.chaos.process.BouncerProcess;
import dev.holdfast.chaos.process.PostgresInstance;
import dev.holdfast.chaos.process.PostgresPair;
import dev.holdfast.chaos.process.RestartableProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Backends on PostgreSQL: one server, directly or behind PgBouncer, or a primary with a synchronous standby. */
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
                ExclusiveFault.group(List.of(
                        new ActionFault(
                                "primary killed, standby promoted",
                                "failover",
                                random -> pair.failOver(),
                                pair::restore),
                        new ActionFault(
                                "standby killed", "standby killed", random -> pair.killStandby(), pair::restore))));
    }

    /** PgBouncer pools transactions between the clients and one server. */
    static ChaosBackend pooled(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException {
        PostgresInstance server = server(folder, open);
        int port = LoopbackPorts.next();
        RestartableProcess bouncer =
                open.add(BouncerProcess.start(folder.resolve("pgbouncer.log"), port, server.port()));
        List<ChaosFault> faults = new ArrayList<>(faults(server));
        faults.addAll(ExclusiveFault.group(List.of(
                new ActionFault("PgBouncer killed", "pooler killed", random -> bouncer.kill(), bouncer::start),
                new ActionFault(
                        "SIGSTOP of PgBouncer", "SIGSTOP of pooler", random -> bouncer.pause(), bouncer::start))));
        return behindProxies(folder, clients, open, List.of(port), faults);
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
        return ExclusiveFault.group(List.of(
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
                new ActionFault(
                        "SIGSTOP of database", "SIGSTOP of database", random -> server.pause(), server::start)));
    }

    static ChaosBackend behindProxies(
            Path folder, int clients, ClosingStack open, List<Integer> ports, List<ChaosFault> own)
            throws IOException, InterruptedException {
        ClientProxies proxies = open.add(new ClientProxies(clients, ports));
        ClientClocks clocks = new ClientClocks(folder, ClientClocks.names(clients));
        List<ChaosFault> faults = new ArrayList<>(own);
        faults.addAll(NetworkFaults.ofClients(proxies));
        faults.addAll(clocks.faults());
        return new StartedBackend(client -> url(proxies.hosts(client)), clocks::environment, faults, open);
    }

    static String url(String hosts) {
        return "postgresql://postgres:postgres@" + hosts + "/postgres?schema=holdfast&timeout=2s";
    }
}
