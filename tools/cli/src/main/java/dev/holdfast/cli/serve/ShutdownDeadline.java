package dev.holdfast.cli.serve;

import dev.holdfast.cli.ExitCode;
import java.time.Duration;

/**
 * Ends the process when its time to end is over, whatever a client or the store still keeps it waiting for. That is safe: a
 * server keeps nothing that is not in the store.
 */
final class ShutdownDeadline {
    /** What is left of the time, after that for requests, to close the store and the process itself. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    private ShutdownDeadline() {}

    /** How much of {@code drain} is for requests. */
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
