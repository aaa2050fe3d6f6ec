package dev.holdfast.server.reload;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Looks at files now and then, on a thread of its own: to be told of changes is not possible on every file system. */
public final class FileWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(2);

    private final ScheduledExecutorService thread;
    private final ScheduledFuture<?> looks;

    public FileWatch(List<Reloaded<?>> watched) {
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread created = new Thread(work, "holdfast-reload");
            created.setDaemon(true);
            return created;
        });
        looks = thread.scheduleWithFixedDelay(
                () -> watched.forEach(Reloaded::look), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        looks.cancel(false);
        thread.shutdownNow();
    }
}
