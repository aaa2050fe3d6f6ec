package dev.holdfast.server.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The recorded log lines, and the warnings and errors that no test has checked yet. Thread-safe. */
public final class RecordedLog {
    /** A loop of errors must not exhaust the memory of the tests. */
    private static final int MOST = 10_000;

    private static final Deque<Line> lines = new ArrayDeque<>();
    private static final List<Line> warnings = new ArrayList<>();
    private static long written;

    /** One line. */
    public record Line(
            String logger,
            Level level,
            String message,
            @Nullable Throwable error) {
        @Override
        public String toString() {
            return level + " " + logger + ": " + message + (error == null ? "" : " " + error);
        }
    }

    private RecordedLog() {}

    static void add(Line line) {
        synchronized (lines) {
            written++;
            lines.addLast(line);
            if (lines.size() > MOST) {
                lines.removeFirst();
            }
            if (line.level().compareTo(Level.WARN) <= 0 && warnings.size() < MOST) {
                warnings.add(line);
            }
        }
    }

    /** The last lines of all tests. */
    public static List<Line> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** The total number of lines written. */
    public static long written() {
        synchronized (lines) {
            return written;
        }
    }

    /** The lines written after the first {@code count}. */
    public static List<Line> linesAfter(long count) {
        synchronized (lines) {
            return lines().subList((int) Math.max(0, lines.size() - (written - count)), lines.size());
        }
    }

    /** All warnings and errors since the last call. */
    static List<Line> takeWarnings() {
        synchronized (lines) {
            List<Line> taken = List.copyOf(warnings);
            warnings.clear();
            return taken;
        }
    }
}
