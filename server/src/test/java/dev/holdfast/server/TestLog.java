package dev.holdfast.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The log of the tests of this module: the last lines, in memory. */
public final class TestLog implements SLF4JServiceProvider, ILoggerFactory {
    private static final int KEPT = 10_000;
    private static final Deque<Line> lines = new ArrayDeque<>();
    private static long written;

    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter mdc = new NOPMDCAdapter();

    /** One line, and what was thrown. */
    public record Line(
            String logger,
            Level level,
            String message,
            @Nullable Throwable error) {}

    /** All lines that are kept. */
    public static List<Line> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** How many lines were ever written. */
    public static long written() {
        synchronized (lines) {
            return written;
        }
    }

    /** The lines that were written after the first {@code count}. */
    public static List<Line> linesAfter(long count) {
        synchronized (lines) {
            return lines().subList((int) Math.max(0, lines.size() - (written - count)), lines.size());
        }
    }

    private static void add(Line line) {
        synchronized (lines) {
            written++;
            lines.addLast(line);
            if (lines.size() > KEPT) {
                lines.removeFirst();
            }
        }
    }

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(name, Kept::new);
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return this;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // Nothing to prepare.
    }

    private static final class Kept extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        Kept(String name) {
            this.name = name;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable error) {
            add(new Line(name, level, MessageFormatter.basicArrayFormat(pattern, arguments), error));
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
