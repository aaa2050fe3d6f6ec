package dev.holdfast.sim.world;

import java.time.Duration;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Virtual time and randomness: events run one after another, each at its time, and only they advance the time. */
public final class SimWorld {
    /** A run of any scenario takes less than a tenth of this. */
    static final long EVENTS_MAX = 5_000_000;
    /** The limit of events at one moment, several times more than any process needs. */
    static final long EVENTS_AT_ONCE_MAX = 100_000;

    private final PriorityQueue<PlannedEvent> events = new PriorityQueue<>();
    private final RunRecorder recorder;
    private final Random random;
    /**
     * Random numbers for faults that only some scenarios have. They come from their own stream, so that a new fault
     * does not change the runs of a seed in the other scenarios.
     */
    private final Random extra;

    private @Nullable Consumer<String> whenRunaway;
    private long eventsInAll;
    private long eventsAtOnce;
    private long nowNanos;
    private long sequence;
    private boolean stopped;

    public SimWorld(long seed) {
        this(seed, RunRecorder.NONE);
    }

    /** A world whose events are also given to {@code recorder}. It makes no difference to the run. */
    public SimWorld(long seed, RunRecorder recorder) {
        this.recorder = recorder;
        // Seeds are small and consecutive; without mixing, their first random numbers would be similar.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.extra = new Random(seed * 0xD1B54A32D192ED03L);
    }

    /** Stops a run that does not end from now on, and calls {@code report} with a message. */
    public void whenRunaway(Consumer<String> report) {
        whenRunaway = report;
    }

    RunRecorder recorder() {
        return recorder;
    }

    public long nowNanos() {
        return nowNanos;
    }

    public Random random() {
        return random;
    }

    /** Like {@link #chance}, but for faults that only some scenarios have. */
    public boolean extraChance(double probability) {
        return probability > 0 && extra.nextDouble() < probability;
    }

    /** Like {@link #between}, but for faults that only some scenarios have. */
    public long extraBetween(Duration least, Duration most) {
        return least.toNanos() + (long) (extra.nextDouble() * (most.toNanos() - least.toNanos()));
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A random duration between two bounds, in nanoseconds. */
    public long between(Duration least, Duration most) {
        return least.toNanos() + (long) (random.nextDouble() * (most.toNanos() - least.toNanos()));
    }

    /** A random duration of {@code least} to less than {@code limit} milliseconds. */
    public Duration millis(int least, int limit) {
        return Duration.ofMillis(least + random.nextInt(limit - least));
    }

    /** A random element of a list. */
    public <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Runs {@code action} after a random time between two bounds. */
    public void afterBetween(Duration least, Duration most, Runnable action) {
        after(between(least, most), action);
    }

    /** Runs {@code action} after {@code delayNanos}. Returns an action that cancels it. */
    public Runnable after(long delayNanos, Runnable action) {
        PlannedEvent event = new PlannedEvent(nowNanos + Math.max(0, delayNanos), sequence++, action);
        events.add(event);
        return () -> event.cancelled = true;
    }

    /** Runs events until the given time, or until the run is stopped. */
    public void run(long untilNanos) {
        while (!stopped && !events.isEmpty() && events.peek().atNanos <= untilNanos) {
            runNext();
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    /** Runs events until {@code isOver} is true; returns false if the run ended before. Blocked processes wait here. */
    boolean runUntil(BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            if (stopped || events.isEmpty()) {
                return false;
            }
            runNext();
        }
        return true;
    }

    private void runNext() {
        PlannedEvent event = events.remove();
        if (event.cancelled) {
            return;
        }
        // A blocked process may have run events beyond the end of a run.
        long atNanos = Math.max(nowNanos, event.atNanos);
        eventsAtOnce = atNanos == nowNanos ? eventsAtOnce + 1 : 0;
        eventsInAll++;
        nowNanos = atNanos;
        if (whenRunaway != null && eventsAtOnce > EVENTS_AT_ONCE_MAX) {
            stop();
            whenRunaway.accept(eventsAtOnce + " events ran one after another and time did not move on");
        } else if (whenRunaway != null && eventsInAll > EVENTS_MAX) {
            stop();
            whenRunaway.accept("the run took more than " + EVENTS_MAX + " events");
        } else {
            event.action.run();
        }
    }

    /** Ends the run, because a checker has found a violation. */
    public void stop() {
        stopped = true;
    }

    private static final class PlannedEvent implements Comparable<PlannedEvent> {
        private final long atNanos;
        private final long sequence;
        private final Runnable action;
        private boolean cancelled;

        PlannedEvent(long atNanos, long sequence, Runnable action) {
            this.atNanos = atNanos;
            this.sequence = sequence;
            this.action = action;
        }

        @Override
        public int compareTo(PlannedEvent other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
