package dev.holdfast.chaos.backend;

import dev.holdfast.chaos.network.FaultProxy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The proxies of all clients: each client has one for each server. Clients are numbered from 1. The harness looks at the
 * store as client 0, whose proxies suffer no fault.
 */
final class ClientProxies implements AutoCloseable {
    private final List<List<FaultProxy>> byClient = new ArrayList<>();

    ClientProxies(int clients, List<Integer> serverPorts) throws IOException, InterruptedException {
        try {
            for (int client = 0; client <= clients; client++) {
                List<FaultProxy> own = new ArrayList<>();
                byClient.add(own);
                for (int port : serverPorts) {
                    own.add(FaultProxy.to(port));
                }
            }
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    int clients() {
        return byClient.size() - 1;
    }

    List<FaultProxy> of(int client) {
        return byClient.get(client);
    }

    /** The proxies that suffer faults. */
    List<FaultProxy> all() {
        return byClient.stream().skip(1).flatMap(List::stream).toList();
    }

    /** Returns the addresses that a client uses: {@code 127.0.0.1:PORT}, several separated by commas. */
    String hosts(int client) {
        return String.join(
                ",",
                of(client).stream().map(proxy -> "127.0.0.1:" + proxy.port()).toList());
    }

    @Override
    public void close() {
        byClient.forEach(own -> own.forEach(FaultProxy::close));
    }
}
