package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.testkit.HistoryChecker;
import dev.holdfast.testkit.LeaseHistory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of two servers, real processes on one file, is killed under load. */
class ServerKillTest {
    private static final int WORKERS = 8;
    private static final int LOCKS = 3;
    private static final List<Key> JOBS =
            IntStream.range(0, 300).mapToObj(i -> Key.of("jobs", "job-" + i)).toList();
    private static final AcquireOptions SHORT =
            AcquireOptions.defaults().term(Duration.ofSeconds(10)).autoRenew(false);

    private final LeaseHistory leaseHistory = new LeaseHistory();
    private final Set<Key> done = ConcurrentHashMap.newKeySet();
    private final List<Key> doneTwice = new ArrayList<>();
    private final AtomicInteger turns = new AtomicInteger();

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void clientsContinueAndNothingIsGrantedTwiceOrLost(@TempDir Path folder) throws Exception {
        String store = "sqlite:" + folder.resolve("leases.db");
        try (ServerProcess first = ServerProcess.on(store);
                ServerProcess second = ServerProcess.on(store)) {
            String url = "http://" + first.host() + "," + second.host();
            try (Leases ann = open(url, "ann");
                    Leases bob = open("http://" + second.host() + "," + first.host(), "bob")) {
                List<Future<?>> working = start(List.of(ann, bob));
                awaitDone(JOBS.size() / 4);
                first.kill();
                int turnsBefore = turns.get();
                for (Future<?> worker : working) {
                    worker.get(240, TimeUnit.SECONDS);
                }

                assertThat(turns.get()).as("turns after the kill").isGreaterThan(turnsBefore);
            }
            try (Leases looking = open("http://" + second.host(), "eve");
                    Stream<LeaseStatus> all = looking.list(LeaseFilter.namespacePrefix("jobs"))) {
                Set<Key> stored = all.filter(status -> status.state() == LeaseState.DONE)
                        .map(LeaseStatus::key)
                        .collect(Collectors.toSet());
                assertThat(stored).containsExactlyInAnyOrderElementsOf(JOBS);
                assertThat(stored).as("what was acknowledged").containsAll(done);
            }
        }
        assertThat(doneTwice).isEmpty();
        assertThat(HistoryChecker.check(leaseHistory)).isEmpty();
    }

    private static Leases open(String url, String holder) {
        return Holdfast.open(
                url,
                LeasesOptions.builder()
                        .holder(holder)
                        .operationTimeout(Duration.ofSeconds(60))
                        .build());
    }

    private void awaitDone(int count) {
        long startNanos = System.nanoTime();
        while (done.size() < count) {
            assertThat(System.nanoTime() - startNanos).as("waited in vain").isLessThan(120_000_000_000L);
            Thread.onSpinWait();
        }
    }

    private List<Future<?>> start(List<Leases> clients) {
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS, task -> {
            Thread thread = new Thread(task, "worker");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Leases leases = clients.get(i % clients.size());
            int number = i;
            working.add(threads.submit(() -> {
                work(leases, "worker-" + number);
                return null;
            }));
        }
        threads.shutdown();
        return working;
    }

    /** Until all jobs are done, acquires a lock in turn with others, and any job that is left. */
    private void work(Leases leases, String holder) throws InterruptedException {
        for (boolean left = true; left; ) {
            left = false;
            for (int i = 0; i < JOBS.size(); i++) {
                takeTurn(leases, Key.of("locks", "lock-" + i % LOCKS), holder);
                left |= !process(leases, JOBS.get(i), holder);
            }
        }
    }

    private void takeTurn(Leases leases, Key lock, String holder) throws InterruptedException {
        AcquireResult result = leases.acquire(lock, SHORT.holder(holder), Duration.ofSeconds(20));
        if (result.granted().isPresent()) {
            Lease lease = result.granted().get();
            began(lease, holder);
            turns.incrementAndGet();
            ended(lease);
            lease.release();
        }
    }

    /** Returns whether the job is done, by this client or another. */
    private boolean process(Leases leases, Key job, String holder) {
        AcquireResult result = leases.tryAcquire(job, SHORT.holder(holder));
        if (result.granted().isEmpty()) {
            return result instanceof AcquireResult.Done;
        }
        Lease lease = result.granted().get();
        began(lease, holder);
        ended(lease);
        try {
            lease.done();
        } catch (HoldfastException e) {
            return false; // It may be done: the next pass finds out.
        }
        if (!done.add(job)) {
            synchronized (doneTwice) {
                doneTwice.add(job);
            }
        }
        return true;
    }

    private void began(Lease lease, String holder) {
        long now = System.nanoTime();
        leaseHistory.began(now, lease.key(), holder, lease.fence().value());
        leaseHistory.extended(
                now, lease.key(), lease.fence().value(), now + lease.remaining().toNanos());
    }

    private void ended(Lease lease) {
        leaseHistory.ended(System.nanoTime(), lease.key(), lease.fence().value());
    }
}
