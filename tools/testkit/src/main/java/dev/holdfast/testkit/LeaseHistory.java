package dev.holdfast.testkit;

import dev.holdfast.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Records who believed to hold what, and when: for tests with several clients, and for runs of several processes, whose
 * records are written line by line and merged afterwards.
 *
 * <p>Times are plain nanoseconds of one clock, which the caller reads. Beliefs are noted by those who have them: a
 * beginning after the grant was heard of, an end before the call that ends it is made.
 *
 * <p>Thread-safe.
 */
public final class LeaseHistory {
    private final List<Event> events = new ArrayList<>();

    /** What can happen to a belief. */
    public enum Kind {
        /** The store granted the key. Optional: it fixes the order of grants where beliefs alone do not tell. */
        GRANTED,
        /** A holder began to believe, without end until told otherwise. */
        BEGAN,
        /** From now on it believes until a certain time, unless told again. */
        EXTENDED,
        /** It stopped believing. */
        ENDED
    }

    /**
     * One thing that happened.
     *
     * @param holder empty where it was not said
     * @param untilNanos until when it believes, for {@link Kind#EXTENDED}; else 0
     */
    public record Event(long nanos, Kind kind, Key key, String holder, long fence, long untilNanos) {
        /** One line, without its end. */
        public String toLine() {
            return HistoryRecord.write(this);
        }

        /**
         * Reads what {@link #toLine} wrote.
         *
         * @throws IllegalArgumentException if it is no such line
         */
        public static Event parse(String line) {
            return HistoryRecord.read(line);
        }

        @Override
        public String toString() {
            return toLine();
        }
    }

    /** The store granted {@code key}. Call it in the order of the grants. */
    public void granted(long nanos, Key key, String holder, long fence) {
        add(new Event(nanos, Kind.GRANTED, key, holder, fence, 0));
    }

    /** {@code holder} begins to believe that it holds {@code key}. */
    public void began(long nanos, Key key, String holder, long fence) {
        add(new Event(nanos, Kind.BEGAN, key, holder, fence, 0));
    }

    /** The holder with this fence will believe until {@code untilNanos}, whatever becomes of it: a crash, for one. */
    public void extended(long nanos, Key key, long fence, long untilNanos) {
        add(new Event(nanos, Kind.EXTENDED, key, "", fence, untilNanos));
    }

    /** The holder with this fence believes no more. */
    public void ended(long nanos, Key key, long fence) {
        add(new Event(nanos, Kind.ENDED, key, "", fence, 0));
    }

    /** Adds an event, such as one read from another process's file. */
    public void add(Event event) {
        Objects.requireNonNull(event, "event");
        synchronized (events) {
            events.add(event);
        }
    }

    /** The records of several files as one; empty lines are left out. */
    public static LeaseHistory parse(Iterable<String> lines) {
        LeaseHistory leaseHistory = new LeaseHistory();
        for (String line : lines) {
            if (!line.isBlank()) {
                leaseHistory.add(Event.parse(line));
            }
        }
        return leaseHistory;
    }

    /** All events so far, in the order in which they were added. */
    public List<Event> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    /** {@link #events} as lines. */
    public List<String> toLines() {
        return events().stream().map(Event::toLine).toList();
    }
}
