package dev.holdfast.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.StoreException;
import dev.holdfast.StoreException.Effect;
import dev.holdfast.store.Entry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server with all its processes, or stops it immediately, while clients work, and starts it again. Clients
 * keep working.
 */
@Tag("slow")
class ServerCrashTest {
    private static final int CALLERS = 16;

    @TempDir
    Path folder;

    private final Random random = new Random(30);
    private final Map<Key, Response> responses = new ConcurrentHashMap<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** The last response that a client got for a key. */
    private record Response(String state, long fence) {}

    @Test
    void acknowledgedWritesSurviveAKillOfTheServer() throws Exception {
        PostgresProcess server = PostgresProcess.start(folder.resolve("data"));
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (Leases leases = Holdfast.open(Server.url(server.port(), "holdfast", "timeout=2s"))) {
            for (int i = 0; i < CALLERS; i++) {
                int caller = i;
                callers.execute(() -> work(leases, caller));
            }
            for (int round = 0; round < Rounds.of(8); round++) {
                int before = responses.size();
                Eventually.holds(() -> responses.size() > before + 20);
                Thread.sleep(random.nextInt(200));
                if (round % 2 == 0) {
                    server.kill();
                } else {
                    server.stopImmediately();
                }
                server.restart();
            }
            int before = responses.size();
            Eventually.holds(() -> responses.size() > before + 20);
            over.set(true);
            callers.shutdown();
            assertThat(callers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            over.set(true);
            callers.shutdownNow();
        }
        try (PostgresStore store = PostgresStore.open(Server.url(server.port(), "holdfast"))) {
            assertThat(responses).hasSizeGreaterThan(100);
            responses.forEach((key, response) -> assertTrue(store, key, response));
        } finally {
            server.kill();
        }
    }

    private void work(Leases leases, int caller) {
        for (int i = 0; !over.get(); i++) {
            Key key = Key.of("caller-" + caller, "key-" + i);
            try {
                Lease lease = leases.tryAcquire(key, AcquireOptions.defaults().autoRenew(false))
                        .orThrow();
                responses.put(key, new Response("granted", lease.fence().value()));
                lease.done();
                responses.put(key, new Response("done", lease.fence().value()));
            } catch (StoreException e) {
                responses.merge(
                        key,
                        new Response(e.effect() == Effect.NOT_APPLIED ? "not granted" : "unknown", 0),
                        (before, now) ->
                                new Response(now.state.equals("unknown") ? "granted" : "not done", before.fence));
            }
        }
    }

    private static void assertTrue(PostgresStore store, Key key, Response response) {
        Entry entry = store.read(List.of(key)).get(0).map(it -> it.entry()).orElse(null);
        LeaseState leaseState = entry == null ? LeaseState.FREE : entry.state();
        switch (response.state) {
            case "granted" -> assertThat(leaseState).as("%s was granted", key).isNotEqualTo(LeaseState.FREE);
            case "done" -> assertThat(leaseState).as("%s was done", key).isEqualTo(LeaseState.DONE);
            case "not done" -> assertThat(leaseState).as("%s was not done", key).isEqualTo(LeaseState.HELD);
            case "not granted" ->
                assertThat(leaseState).as("%s was not granted", key).isEqualTo(LeaseState.FREE);
            default -> assertThat(response.state).isEqualTo("unknown");
        }
        if (entry != null && response.fence != 0) {
            assertThat(entry.fence().value()).isEqualTo(response.fence);
        }
    }
}
