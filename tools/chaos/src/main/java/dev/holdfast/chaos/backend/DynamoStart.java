package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.LoopbackPorts;
import dev.holdfast.chaos.process.DynamoProcess;
import dev.holdfast.chaos.process.HoldfastCommand;
import dev.holdfast.chaos.process.RestartableProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A table of DynamoDB Local, made by {@code holdfast store init}. */
final class DynamoStart {
    private DynamoStart() {}

    static ChaosBackend start(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException {
        int port = LoopbackPorts.next();
        RestartableProcess dynamo = open.add(DynamoProcess.start(folder, port));
        HoldfastCommand.init(url("127.0.0.1:" + port, "60s"), DynamoProcess.CREDENTIALS);
        ClientProxies proxies = open.add(new ClientProxies(clients, List.of(port)));
        ClientClocks clocks = new ClientClocks(folder, ClientClocks.names(clients));
        List<ChaosFault> faults = new ArrayList<>(ExclusiveFault.group(List.of(
                new ActionFault("database killed", "database killed", random -> dynamo.kill(), dynamo::start),
                new ActionFault(
                        "SIGSTOP of database", "SIGSTOP of database", random -> dynamo.pause(), dynamo::start))));
        faults.addAll(NetworkFaults.ofClients(proxies));
        faults.addAll(clocks.faults());
        return new StartedBackend(
                client -> url(proxies.hosts(client), "2s"), client -> environment(clocks, client), faults, open);
    }

    private static Map<String, String> environment(ClientClocks clocks, int client) {
        Map<String, String> environment = new HashMap<>(DynamoProcess.CREDENTIALS);
        environment.putAll(clocks.environment(client));
        return Map.copyOf(environment);
    }

    private static String url(String host, String timeout) {
        return "dynamodb://chaos?region=us-east-1&endpoint=http://" + host + "&timeout=" + timeout;
    }
}
