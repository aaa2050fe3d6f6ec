package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.testkit.HistoryChecker;
import dev.holdfast.testkit.LeaseHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that contend for a few keys over a faulty network, in real time: no key is granted while another client holds
 * it.
 */
class FaultHistoryTest {
    private static final int CLIENTS = 3;
    private static final int ROUNDS = 60;
    /** Long enough for another client to interfere, if it could. */
    private static final Duration HELD = Duration.ofMillis(2);

    private static final List<Key> KEYS = List.of(Key.of("a"), Key.of("b"));
    /** Longer than the whole test, so that no lease expires and each lost response must be settled. */
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(Duration.ofMinutes(10)).autoRenew(false);

    private final LeaseHistory leaseHistory = new LeaseHistory();
    private final AtomicInteger granted = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "layout=native",
                "layout=native&judge=stamp",
                "layout=kcl&expire=10m",
                "layout=tabletheory",
                "layout=awsflock",
                "layout=lockclient"
            })
    void noLostResponseGrantsAKeyTwice(String layout) throws Exception {
        String url = Tables.create("&" + layout);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                clients.add(threads.submit(() -> contend(url, number)));
            }
            for (Future<?> client : clients) {
                client.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(HistoryChecker.check(leaseHistory)).isEmpty();
        assertThat(granted.get()).as("grants").isGreaterThan(ROUNDS / 2);
    }

    private void contend(String url, int number) {
        Random dice = new Random(number);
        SystemEnvironment runtime = new SystemEnvironment();
        try (LeaseStore store = Tables.openAny(url, runtime, http -> bad(new Way(http), new Random(number + 100)));
                Leases leases = Holdfast.open(
                        store,
                        LeasesOptions.builder()
                                .holder("client-" + number)
                                .environment(runtime)
                                .build())) {
            for (int round = 0; round < ROUNDS; round++) {
                hold(store, leases, KEYS.get(dice.nextInt(KEYS.size())), "client-" + number);
            }
        } finally {
            runtime.close();
        }
    }

    private static Way bad(Way way, Random dice) {
        Trouble[] all = Trouble.values();
        way.usually(() -> dice.nextInt(4) == 0 ? all[dice.nextInt(all.length - 1)] : Trouble.NONE);
        return way;
    }

    private void hold(LeaseStore store, Leases leases, Key key, String holder) {
        try {
            AcquireResult result = leases.tryAcquire(key, OPTIONS);
            if (result.isGranted()) {
                Lease lease = result.orThrow();
                long order = granted.incrementAndGet();
                // Tables of other tools have no fence; then the test only checks that no two clients hold at once.
                long number = store instanceof NativeTableStore ? lease.fence().value() : order;
                leaseHistory.began(System.nanoTime(), key, holder, number);
                LockSupport.parkNanos(HELD.toNanos());
                leaseHistory.ended(System.nanoTime(), key, number);
                lease.release();
            }
        } catch (HoldfastException e) {
            // Abandoned after the timeout, and settled: the checker verifies the result.
        }
    }
}
