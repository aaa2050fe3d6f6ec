package dev.holdfast.server.operations;

import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A periodic probe of the store, which reads one key. The server becomes not ready as soon as one read does not
 * complete within the deadline. It becomes ready scheduleNext with the next completed read, however late, without any
 * intervention.
 */
final class StoreProbe implements AutoCloseable {
    static final Duration EVERY = Duration.ofSeconds(2);
    static final Duration DEADLINE = Duration.ofSeconds(3);

    private static final Key PROBE_KEY = Key.of(Key.RESERVED_PREFIX + "health", "probe");
    private static final Logger log = LoggerFactory.getLogger(StoreProbe.class);

    private final AsyncLeases leases;
    private final HostEnvironment hostEnvironment;
    private final BooleanSupplier draining;
    private final SettableHealthChecker ready = new SettableHealthChecker(false);
    private HostEnvironment.Timer timer;
    private boolean closed;
    private volatile String problem = "the store has not been read yet";

    StoreProbe(AsyncLeases leases, HostEnvironment hostEnvironment, BooleanSupplier draining) {
        this.leases = leases;
        this.hostEnvironment = hostEnvironment;
        this.draining = draining;
        this.timer = hostEnvironment.schedule(Duration.ZERO, this::probe);
    }

    SettableHealthChecker ready() {
        return ready;
    }

    /** Why the server is not ready; empty if it is. Without details of the store, which only the log has. */
    Optional<String> notReady() {
        return Optional.of(problem).filter(text -> !text.isEmpty());
    }

    private void probe() {
        HostEnvironment.Timer deadline =
                hostEnvironment.schedule(DEADLINE, () -> report(false, "no response within " + DEADLINE));
        try {
            Futures.whenDone(leases.get(PROBE_KEY), (found, error) -> {
                deadline.cancel();
                report(error == null, String.valueOf(error));
                scheduleNext();
            });
        } catch (IllegalStateException e) {
            deadline.cancel();
            report(false, "closed");
        }
    }

    /** Updates the readiness. A server that is shutting down is not ready for new requests. */
    private void report(boolean responded, String why) {
        boolean now = responded && !draining.getAsBoolean();
        problem = now ? "" : responded ? "the server is shutting down" : "the store does not respond";
        if (ready.isHealthy() && !now) {
            log.warn("not ready: {}", responded ? "shutting down" : "the store failed: " + why);
        } else if (!ready.isHealthy() && now) {
            log.info("ready: the store responds");
        }
        ready.setHealthy(now);
    }

    private synchronized void scheduleNext() {
        if (!closed) {
            timer = hostEnvironment.schedule(EVERY, this::probe);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        timer.cancel();
        ready.setHealthy(false);
    }
}
