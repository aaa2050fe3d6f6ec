package dev.holdfast.guard.http;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.guard.PausedProcess;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/**
 * A process that adds 100 to a balance under a lease: it reads the balance over HTTP and writes the sum with a client that sends
 * the fence. The test pauses it after that client has checked the lease and before it connects.
 */
final class HttpPausedHolder {
    private HttpPausedHolder() {}

    /** Arguments: the store of leases, and the address of the account. */
    public static void main(String[] args) throws Exception {
        URI account = URI.create(args[1]);
        try (Leases leases = Holdfast.open(args[0])) {
            AcquireOptions brief = AcquireOptions.defaults().term(Duration.ofSeconds(2));
            Lease lease = leases.acquire(AccountServer.keyOf(1), brief, Duration.ofSeconds(60))
                    .orThrow();
            HttpRequest read = HttpRequest.newBuilder(account).build();
            int balance = Integer.parseInt(HttpClient.newHttpClient()
                    .send(read, BodyHandlers.ofString())
                    .body());
            HttpClient pausing =
                    HttpClient.newBuilder().proxy(new PausingSelector()).build();
            System.out.println(put(FencedHttpClient.of(pausing, lease), account, balance + 100));
        }
    }

    /** Returns the status. */
    static int put(HttpClient client, URI account, int balance) throws IOException, InterruptedException {
        HttpRequest write = HttpRequest.newBuilder(account)
                .PUT(HttpRequest.BodyPublishers.ofString(String.valueOf(balance)))
                .build();
        return client.send(write, BodyHandlers.discarding()).statusCode();
    }

    /** No proxy. A client asks for one before it connects, which is the moment to pause. */
    private static final class PausingSelector extends ProxySelector {
        @Override
        public List<Proxy> select(URI uri) {
            PausedProcess.pauseHere(true); // For longer than the term. The client has checked the lease.
            return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
