package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.leases.LeasesContract;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The contract over the network; in real time unless a subclass overrides that. */
abstract class RemoteContract extends LeasesContract {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

    private final List<RemoteLeases> clients = new CopyOnWriteArrayList<>();

    /** Returns the servers; each client starts with one of them. */
    abstract String url();

    @Override
    public Leases open(String holder) {
        Leases client = opened(options(holder).build());
        // Requests sent while a connection is being opened may arrive in another order.
        awaitResponse(client);
        return client;
    }

    private static void awaitResponse(Leases client) {
        client.async()
                .get(Key.of("settled"))
                .toCompletableFuture()
                .orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS)
                .join();
    }

    @Override
    public Leases openWithoutThreads(String holder) {
        return opened(options(holder).withoutThreads().build());
    }

    private Leases opened(LeasesOptions options) {
        RemoteLeases client = (RemoteLeases) Holdfast.open(url(), options);
        clients.add(client);
        return client;
    }

    /** A timeout that is not reached even on a slow machine: these tests are not about timeouts. */
    LeasesOptions.Builder options(String holder) {
        return LeasesOptions.builder().holder(holder).operationTimeout(Duration.ofSeconds(60));
    }

    @Override
    public void settled() {
        long startNanos = System.nanoTime();
        while (!clients.stream().allMatch(RemoteLeases::isQuiet)) {
            assertThat(System.nanoTime() - startNanos).as("waited in vain").isLessThan(PATIENCE_NANOS);
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        // A server handles the requests of one connection in order. So after a response, all earlier waiting requests
        // have arrived.
        clients.stream().filter(client -> client.waiting() > 0).forEach(RemoteContract::awaitResponse);
    }

    /** Called before the servers are stopped, because a client sends releases when it closes. */
    final void closeRemotes() {
        clients.forEach(RemoteLeases::close);
    }

    @Override
    public Duration term() {
        return Duration.ofSeconds(8);
    }
}
