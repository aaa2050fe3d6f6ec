package dev.holdfast.server.operations;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at files now and then, on a thread of its own: to be told of changes is not possible on every file system. */
public final class FileWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(FileWatch.class);

    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> looks;

    public FileWatch(List<? extends ReloadableValue> watched) {
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread created = new Thread(work, "holdfast-reload");
            created.setDaemon(true);
            return created;
        });
        looks = thread.scheduleWithFixedDelay(
                () -> watched.forEach(FileWatch::look), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A look that fails must not end those that follow. */
    private static void look(ReloadableValue files) {
        try {
            files.look();
        } catch (RuntimeException | Error e) {
            log.error("cannot look at files; what was read before stays in force", e);
        }
    }

    @Override
    public void close() {
        looks.cancel(false);
        thread.shutdownNow();
    }
}
