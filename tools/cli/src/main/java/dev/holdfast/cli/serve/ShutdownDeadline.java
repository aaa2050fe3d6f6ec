package dev.holdfast.cli.serve;

import dev.holdfast.cli.ExitCode;
import java.time.Duration;

/**
 * Deadline of a shutdown: halts the process when the time is over, even if a client or the store still blocks it. That
 * is safe, because a server has no state outside of the store.
 */
final class ShutdownDeadline {
    /** Maximum time reserved after the requests to close the store and end the process. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private ShutdownDeadline() {}

    /** The part of {@code drain} that is available to requests. */
    static Duration forRequests(Duration drain) {
        Duration rest = drain.dividedBy(5);
        return drain.minus(rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST);
    }

    static void begin(Duration drain) {
        Thread thread = new Thread(() -> endAfter(drain), "holdfast-end");
        thread.setDaemon(true);
        thread.start();
    }

    private static void endAfter(Duration drain) {
        try {
            Thread.sleep(drain.toMillis());
        } catch (InterruptedException e) {
            return;
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }
}
