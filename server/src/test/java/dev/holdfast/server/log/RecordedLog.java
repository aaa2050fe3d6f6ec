package dev.holdfast.server.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** The warnings and errors that were logged. Thread-safe. */
final class RecordedLog {
    /** A loop of errors must not exhaust the memory of the tests. */
    private static final int MOST = 1_000;

    private static final List<Line> lines = new ArrayList<>();

    /** One line. */
    record Line(
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
            if (lines.size() < MOST) {
                lines.add(line);
            }
        }
    }

    /** All lines since the last call. */
    static List<Line> take() {
        synchronized (lines) {
            List<Line> taken = List.copyOf(lines);
            lines.clear();
            return taken;
        }
    }
}
