package dev.holdfast.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Key;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record of which holder considered its lease of which key valid, and when. It serves tests with several clients.
 * Runs of several processes write their records line by line and merge them afterwards.
 *
 * <p>Times are plain nanoseconds of one clock, which the caller reads. Each holder records its own periods of validity:
 * a beginning after it received the grant, an end before it makes the call that ends the lease.
 *
 * <p>Thread-safe.
 */
public final class LeaseHistory {
    private final List<Event> events = new ArrayList<>();

    /** The kinds of events in the life of a lease, as its holder sees it. */
    public enum Kind {
        /** The store granted the key. Optional: it orders grants where the holders' own events do not. */
        GRANTED,
        /** A holder began to consider its lease valid, without an end until a later event gives one. */
        BEGAN,
        /** The lease is valid until a certain time, unless a later event changes that. */
        EXTENDED,
        /** The holder no longer considers its lease valid. */
        ENDED
    }

    /**
     * One recorded event.
     *
     * @param holder empty if not recorded
     * @param untilNanos the end of the validity, for {@link Kind#EXTENDED}; else 0
     */
    public record Event(long nanos, Kind kind, Key key, String holder, long fence, long untilNanos) {
        private static final String EMPTY = "-";
        private static final int FIELDS = 7;

        /**
         * The event as one line, without a line terminator: {@code nanos kind namespace name holder fence until}. Texts
         * are encoded as in a URL; an empty text is {@code -}.
         */
        public String toLine() {
            return String.join(
                    " ",
                    Long.toString(nanos),
                    kind.name().toLowerCase(Locale.ROOT),
                    encode(key.namespace()),
                    encode(key.name()),
                    encode(holder),
                    Long.toString(fence),
                    Long.toString(untilNanos));
        }

        /**
         * Parses a line that {@link #toLine} wrote.
         *
         * @throws IllegalArgumentException if {@code line} has another format
         */
        public static Event parse(String line) {
            List<String> fields = List.of(line.strip().split(" ", -1));
            try {
                if (fields.size() == FIELDS) {
                    return new Event(
                            Long.parseLong(fields.get(0)),
                            Kind.valueOf(fields.get(1).toUpperCase(Locale.ROOT)),
                            Key.of(decode(fields.get(2)), decode(fields.get(3))),
                            decode(fields.get(4)),
                            Long.parseLong(fields.get(5)),
                            Long.parseLong(fields.get(6)));
                }
            } catch (IllegalArgumentException e) {
                throw bad(line, e);
            }
            throw bad(line, null);
        }

        private static IllegalArgumentException bad(String line, @Nullable IllegalArgumentException cause) {
            return new IllegalArgumentException(
                    "line: " + line + " (expected: nanos kind namespace name holder fence until)", cause);
        }

        private static String encode(String text) {
            return text.isEmpty() ? EMPTY : URLEncoder.encode(text, UTF_8).replace(EMPTY, "%2D");
        }

        private static String decode(String text) {
            return text.equals(EMPTY) ? "" : URLDecoder.decode(text, UTF_8);
        }

        @Override
        public String toString() {
            return toLine();
        }
    }

    /** Records that the store granted {@code key}. Call it in the order of the grants. */
    public void granted(long nanos, Key key, String holder, long fence) {
        add(new Event(nanos, Kind.GRANTED, key, holder, fence, 0));
    }

    /** Records that {@code holder} begins to consider its lease of {@code key} valid. */
    public void began(long nanos, Key key, String holder, long fence) {
        add(new Event(nanos, Kind.BEGAN, key, holder, fence, 0));
    }

    /** Records that the lease with this fence is valid until {@code untilNanos}, even if its holder crashes before. */
    public void extended(long nanos, Key key, long fence, long untilNanos) {
        add(new Event(nanos, Kind.EXTENDED, key, "", fence, untilNanos));
    }

    /** Records that the holder with this fence no longer considers its lease valid. */
    public void ended(long nanos, Key key, long fence) {
        add(new Event(nanos, Kind.ENDED, key, "", fence, 0));
    }

    /** Adds an event, for example one read from the file of another process. */
    public void add(Event event) {
        Objects.requireNonNull(event, "event");
        synchronized (events) {
            events.add(event);
        }
    }

    /** Merges the lines of one or more files into one history, without blank lines. */
    public static LeaseHistory parse(Iterable<String> lines) {
        LeaseHistory history = new LeaseHistory();
        for (String line : lines) {
            if (!line.isBlank()) {
                history.add(Event.parse(line));
            }
        }
        return history;
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
