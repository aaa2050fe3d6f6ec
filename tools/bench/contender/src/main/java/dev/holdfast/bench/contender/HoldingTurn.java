package dev.holdfast.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Workers of one process, each a client of its own, that hold many locks until the process ends: load 3. */
final class HoldingTurn {
    private static final int PROBES = 10;

    private final ContenderFactory factory;
    private final ContenderSettings settings;
    private final String prefix;
    private final int locks;
    private final List<LockContender> workers = new ArrayList<>();

    HoldingTurn(ContenderFactory factory, ContenderSettings settings, String prefix, int locks) {
        this.factory = factory;
        this.settings = settings;
        this.prefix = prefix;
        this.locks = locks;
    }

    /** Acquires all locks. */
    void acquire(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            workers.add(factory.open(settings.holding(settings.worker() + "-" + prefix + "-" + i)));
        }
        int shares = count * workers.get(0).holdingThreads();
        CountDownLatch acquired = new CountDownLatch(shares);
        ExecutorService threads = Executors.newFixedThreadPool(shares, work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < shares; i++) {
            int share = i;
            ends.add(threads.submit(() -> {
                holdShare(workers.get(share % count), share, shares, acquired);
                return null;
            }));
        }
        while (acquired.getCount() > 0) {
            for (Future<?> end : ends) {
                if (end.isDone()) {
                    end.get();
                }
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** Acquires a share of a worker's locks, and renews them if the client does not. */
    private void holdShare(LockContender worker, int share, int shares, CountDownLatch acquired) throws Exception {
        List<HeldLock> held = new ArrayList<>();
        RenewalPace pace = new RenewalPace(settings.term().toNanos() / 3);
        for (int lock = share; lock < locks; lock += shares) {
            held.add(worker.tryAcquire(name(lock)).orElseThrow());
            if (!worker.renewsItself()) {
                pace.renewIfDue(held);
            }
        }
        acquired.countDown();
        while (!worker.renewsItself()) {
            pace.renewNext(held);
        }
        // The locks stay reachable for clients that only know them weakly.
        LockSupport.park(held);
    }

    private String name(int lock) {
        return prefix + "-held-" + lock;
    }

    /** The number of sampled locks that another client could acquire, although a worker holds them. */
    int countLost() throws Exception {
        int lost = 0;
        ContenderSettings prober = new ContenderSettings(
                settings.opponent(), settings.url(), settings.worker() + "-prober", settings.term(), false);
        try (LockContender other = factory.open(prober)) {
            for (int i = 0; i < PROBES; i++) {
                if (other.tryAcquire(name(ThreadLocalRandom.current().nextInt(locks)))
                        .isPresent()) {
                    lost++;
                }
            }
        }
        return lost;
    }

    StoreCounts counts() throws Exception {
        StoreCounts all = StoreCounts.NONE;
        for (LockContender worker : workers) {
            all = all.plus(worker.counts());
        }
        return all;
    }

    /** Renewals of many locks, one after another, each once per period. */
    private static final class RenewalPace {
        private final long periodNanos;
        private long dueNanos;
        private int next;

        RenewalPace(long periodNanos) {
            this.periodNanos = periodNanos;
            this.dueNanos = System.nanoTime() + periodNanos;
        }

        void renewIfDue(List<HeldLock> held) throws Exception {
            while (System.nanoTime() - dueNanos >= 0) {
                renewNext(held);
            }
        }

        void renewNext(List<HeldLock> held) throws Exception {
            for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            held.get(next++ % held.size()).renew();
            dueNanos += periodNanos / held.size();
        }
    }
}
