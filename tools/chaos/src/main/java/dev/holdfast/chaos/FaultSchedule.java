package dev.holdfast.chaos;

import dev.holdfast.chaos.backend.ChaosFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A seeded schedule of faults: a few at a time, each struck, held for some seconds, and healed. */
final class FaultSchedule implements AutoCloseable {
    static final String STOP = "SIGSTOP";

    private static final int LANES = 2;

    private final List<ChaosFault> idle;
    private final HistoryFile history;
    private final int termMillis;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final List<Thread> lanes = new ArrayList<>();

    /** @param termMillis the shortest term; others are longer by half of it at most */
    FaultSchedule(List<ChaosFault> faults, HistoryFile history, int termMillis) {
        this.idle = new ArrayList<>(faults);
        this.history = history;
        this.termMillis = termMillis;
    }

    void start(long seed) {
        for (int i = 0; i < LANES; i++) {
            Random random = new Random(seed * 7919 + i);
            Thread lane = new Thread(() -> strikeAndHeal(random), "chaos-faults-" + i);
            lanes.add(lane);
            lane.start();
        }
    }

    private void strikeAndHeal(Random random) {
        try {
            while (!pause(200 + random.nextInt(termMillis))) {
                ChaosFault fault = take(random);
                if (fault != null) {
                    apply(fault, random);
                    give(fault);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits; true if the schedule ends. */
    private boolean pause(int millis) throws InterruptedException {
        return ending.await(millis, TimeUnit.MILLISECONDS);
    }

    /** A random kind, then a random fault of that kind: kinds with many faults are not preferred. */
    private synchronized @Nullable ChaosFault take(Random random) {
        List<String> kinds =
                idle.stream().map(ChaosFault::kind).distinct().sorted().toList();
        if (kinds.isEmpty()) {
            return null;
        }
        String kind = kinds.get(random.nextInt(kinds.size()));
        List<ChaosFault> faults =
                idle.stream().filter(fault -> fault.kind().equals(kind)).toList();
        ChaosFault fault = faults.get(random.nextInt(faults.size()));
        idle.remove(fault);
        return fault;
    }

    private synchronized void give(ChaosFault fault) {
        idle.add(fault);
    }

    private void apply(ChaosFault fault, Random random) throws InterruptedException {
        // A stop is longer than every term of the workload.
        int least = fault.kind().startsWith(STOP) ? termMillis * 2 : 300;
        int millis = least + random.nextInt(termMillis * 7 / 4);
        history.harness("fault " + fields(fault));
        try {
            fault.strike(random);
            count(fault);
            pause(millis);
        } catch (IOException | RuntimeException e) {
            fail("strike", fault, e);
        } finally {
            heal(fault);
        }
        history.harness("heal " + fields(fault));
    }

    private void heal(ChaosFault fault) throws InterruptedException {
        try {
            fault.heal();
        } catch (IOException | RuntimeException e) {
            fail("heal", fault, e);
        }
    }

    private static String fields(ChaosFault fault) {
        return "name=" + fault.name().replace(' ', '-') + " kind="
                + fault.kind().replace(' ', '-');
    }

    private synchronized void count(ChaosFault fault) {
        counts.merge(fault.kind(), 1, Integer::sum);
    }

    private synchronized void fail(String step, ChaosFault fault, Exception e) {
        failures.add(step + " of " + fault.name() + ": " + e);
    }

    synchronized Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    /** The strikes and heals that did not work: mistakes of the harness, not of the store. */
    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Ends the schedule when every fault is healed. */
    @Override
    public void close() {
        ending.countDown();
        try {
            for (Thread lane : lanes) {
                lane.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
