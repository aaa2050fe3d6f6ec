package dev.holdfast.dynamodb.layouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.testkit.HistoryChecker;
import dev.holdfast.testkit.LeaseHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Contest of rivals of different tools for one key. Only the key protects their shared counter. */
final class Contest {
    private static final Key KEY = Key.of("contended");
    private static final long PATIENCE_SECONDS = 120;

    private final LeaseHistory leaseHistory = new LeaseHistory();
    private final AtomicLong grants = new AtomicLong();
    private long counted;

    /** A client that wants the key. */
    interface Rival {
        /** Tries to acquire the key. Returns how to release it; empty if another rival has it. */
        Optional<Runnable> tryEnter() throws Exception;
    }

    /** Returns a rival with a client of ours. */
    static Rival of(Leases leases, Duration term) {
        AcquireOptions options = AcquireOptions.defaults().term(term);
        return () -> leases.tryAcquire(KEY, options).granted().map(lease -> lease::close);
    }

    static String key() {
        return KEY.name();
    }

    /** Gives each rival a number of turns. Asserts that no two held at once, and that no count was lost. */
    void run(int turnsEach, List<Rival> rivals) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(rivals.size());
        try {
            List<Future<?>> all = new ArrayList<>();
            for (Rival rival : rivals) {
                all.add(threads.submit(() -> {
                    for (int turn = 0; turn < turnsEach; turn++) {
                        turn(rival);
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(HistoryChecker.check(leaseHistory)).isEmpty();
        synchronized (this) {
            assertThat(counted).isEqualTo((long) turnsEach * rivals.size());
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Gives the other rival a chance to interfere.
    private void turn(Rival rival) throws Exception {
        Optional<Runnable> leave = rival.tryEnter();
        while (leave.isEmpty()) {
            Thread.yield();
            leave = rival.tryEnter();
        }
        long number = grants.incrementAndGet();
        leaseHistory.began(System.nanoTime(), KEY, rival.toString(), number);
        long before = read();
        Thread.yield();
        write(before + 1);
        leaseHistory.ended(System.nanoTime(), KEY, number);
        leave.get().run();
    }

    /** Separate from the write, so that two at once lose a count. */
    private synchronized long read() {
        return counted;
    }

    private synchronized void write(long value) {
        counted = value;
    }
}
