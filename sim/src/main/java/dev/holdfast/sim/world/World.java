package dev.holdfast.sim.world;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Random;

/** Virtual time and chance: events run one after another, each at its time, and nothing else makes time pass. */
public final class World {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Random random;
    private long nowNanos;
    private long sequence;
    private boolean stopped;

    public World(long seed) {
        // Seeds are small and consecutive; without mixing, their first draws would be alike.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    public long nowNanos() {
        return nowNanos;
    }

    public Random random() {
        return random;
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A length of time between two bounds. */
    public long between(Duration least, Duration most) {
        return least.toNanos() + (long) (random.nextDouble() * (most.toNanos() - least.toNanos()));
    }

    /** Runs {@code action} after {@code delayNanos}; the result cancels it. */
    public Runnable after(long delayNanos, Runnable action) {
        Event event = new Event(nowNanos + Math.max(0, delayNanos), sequence++, action);
        events.add(event);
        return () -> event.cancelled = true;
    }

    /** Runs until the given time, or until it is stopped. */
    public void run(long untilNanos) {
        while (!stopped && !events.isEmpty() && events.peek().atNanos <= untilNanos) {
            Event event = events.remove();
            if (!event.cancelled) {
                nowNanos = event.atNanos;
                event.action.run();
            }
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    /** Ends the run: something has been found. */
    public void stop() {
        stopped = true;
    }

    private static final class Event implements Comparable<Event> {
        private final long atNanos;
        private final long sequence;
        private final Runnable action;
        private boolean cancelled;

        Event(long atNanos, long sequence, Runnable action) {
            this.atNanos = atNanos;
            this.sequence = sequence;
            this.action = action;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
