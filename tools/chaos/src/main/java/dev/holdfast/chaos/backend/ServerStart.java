package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.LoopbackPorts;
import dev.holdfast.chaos.process.HoldfastCommand;
import dev.holdfast.chaos.process.PostgresInstance;
import dev.holdfast.chaos.process.RestartableProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Backends with {@code holdfast serve} between the clients and a store. */
final class ServerStart {
    private ServerStart() {}

    static ChaosBackend onSqlite(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException {
        String store = "sqlite:" + folder.resolve("leases.db").toAbsolutePath();
        return start(folder, clients, 1, server -> store, new ArrayList<>(), open);
    }

    /** Two servers on one database, each with a proxy of its own in between. Clients know both servers. */
    static ChaosBackend onPostgres(Path folder, int clients, ClosingStack open)
            throws IOException, InterruptedException {
        PostgresInstance database = PostgresStart.server(folder, open);
        ClientProxies between = open.add(new ClientProxies(2, List.of(database.port())));
        List<ChaosFault> faults = new ArrayList<>(PostgresStart.faults(database));
        faults.addAll(NetworkFaults.of("server", between));
        return start(folder, clients, 2, server -> PostgresStart.url(between.hosts(server)), faults, open);
    }

    private static ChaosBackend start(
            Path folder, int clients, int count, IntFunction<String> stores, List<ChaosFault> faults, ClosingStack open)
            throws IOException, InterruptedException {
        // The clocks of the servers are numbered after those of the clients.
        List<String> names = new ArrayList<>(ClientClocks.names(clients));
        for (int server = 1; server <= count; server++) {
            names.add("server " + server);
        }
        ClientClocks clocks = new ClientClocks(folder, names);
        List<RestartableProcess> servers = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int server = 1; server <= count; server++) {
            int port = LoopbackPorts.next();
            ports.add(port);
            servers.add(open.add(HoldfastCommand.serve(
                    stores.apply(server),
                    port,
                    clocks.environment(clients + server),
                    folder.resolve("server-" + server + ".log"))));
        }
        ClientProxies proxies = open.add(new ClientProxies(clients, ports));
        faults.addAll(faults(servers));
        faults.addAll(NetworkFaults.ofClients(proxies));
        faults.addAll(clocks.faults());
        return new StartedBackend(client -> "http://" + proxies.hosts(client), clocks::environment, faults, open);
    }

    private static List<ChaosFault> faults(List<RestartableProcess> servers) {
        List<ChaosFault> faults = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            RestartableProcess server = servers.get(i);
            String name = "server " + (i + 1);
            faults.add(new ActionFault(name + " killed", "server killed", random -> server.kill(), server::start));
            faults.add(new ActionFault(name + " stopped", "server stopped", random -> server.stop(), server::start));
            faults.add(new ActionFault(
                    "SIGSTOP of " + name, "SIGSTOP of server", random -> server.pause(), server::start));
        }
        faults.add(new ActionFault(
                "rolling restart",
                "rolling restart",
                random -> {
                    for (RestartableProcess server : servers) {
                        server.stop();
                        server.start();
                    }
                },
                () -> {
                    for (RestartableProcess server : servers) {
                        server.start();
                    }
                }));
        return ExclusiveFault.group(faults);
    }
}
