package dev.holdfast.server.wire;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of errors with details that clients must not see: class names, states of connection pools, paths, database
 * codes. A client gets an id that identifies the error in the log. Thread-safe.
 */
final class HiddenErrorLog {
    /** A store that is down fails every request, and more lines than this add no information. */
    private static final int LINES_PER_SECOND = 20;

    private static final Logger log = LoggerFactory.getLogger(HiddenErrorLog.class);
    private static final AtomicLong second = new AtomicLong();
    private static final AtomicInteger lines = new AtomicInteger();

    private HiddenErrorLog() {}

    /** Logs a failure of the store. It is expected now and then, so the stack trace is logged only at level debug. */
    static String trouble(Throwable error) {
        String id = id();
        if (mayLog()) {
            log.warn("error {}: {}", id, SafeLogText.of(String.valueOf(error.getMessage())));
            log.debug("error {}", id, error);
        }
        return id;
    }

    static String bug(Throwable error) {
        String id = id();
        if (mayLog()) {
            log.error("error {}: a request failed; this is a bug in Holdfast", id, error);
        }
        return id;
    }

    private static String id() {
        return String.format("%08x", ThreadLocalRandom.current().nextInt());
    }

    private static boolean mayLog() {
        long now = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        long before = second.getAndSet(now);
        if (before != now) {
            int suppressed = lines.getAndSet(0) - LINES_PER_SECOND;
            if (suppressed > 0) {
                log.warn("{} more errors were not logged within a second", suppressed);
            }
        }
        return lines.incrementAndGet() <= LINES_PER_SECOND;
    }
}
