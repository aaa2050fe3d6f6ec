package dev.holdfast.server.security;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A poller that checks files for changes periodically, on a thread of its own. Change notifications are not available
 * on every file system.
 */
public final class FileWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(FileWatch.class);

    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> schedule;

    /** @param checks each looks for changes of some files */
    public FileWatch(List<Runnable> checks) {
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread created = new Thread(work, "holdfast-reload");
            created.setDaemon(true);
            return created;
        });
        schedule = thread.scheduleWithFixedDelay(
                () -> checks.forEach(FileWatch::check), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A failed check must not prevent later ones. */
    private static void check(Runnable files) {
        try {
            files.run();
        } catch (RuntimeException | Error e) {
            log.error("cannot check files for changes; the previous contents stay in force", e);
        }
    }

    @Override
    public void close() {
        schedule.cancel(false);
        thread.shutdownNow();
    }
}
