package dev.holdfast.server.operations;

import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.holdfast.AsyncLeases;
import dev.holdfast.Key;
import dev.holdfast.internal.Futures;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store for a key now and then, and tells whether it answers in time. Red as soon as one question is not answered
 * within the deadline; green again with the next answer, however late: nobody has to do anything.
 */
final class StoreProbe implements AutoCloseable {
    static final Duration EVERY = Duration.ofSeconds(2);
    static final Duration DEADLINE = Duration.ofSeconds(3);

    private static final Key ASKED = Key.of(Key.RESERVED_PREFIX + "health", "probe");
    private static final Logger log = LoggerFactory.getLogger(StoreProbe.class);

    private final AsyncLeases leases;
    private final HostEnvironment hostEnvironment;
    private final BooleanSupplier draining;
    private final SettableHealthChecker ready = new SettableHealthChecker(false);
    private HostEnvironment.Timer timer;
    private boolean closed;

    StoreProbe(AsyncLeases leases, HostEnvironment hostEnvironment, BooleanSupplier draining) {
        this.leases = leases;
        this.hostEnvironment = hostEnvironment;
        this.draining = draining;
        this.timer = hostEnvironment.schedule(Duration.ZERO, this::ask);
    }

    SettableHealthChecker ready() {
        return ready;
    }

    private void ask() {
        HostEnvironment.Timer deadline =
                hostEnvironment.schedule(DEADLINE, () -> tell(false, "no answer within " + DEADLINE));
        try {
            Futures.whenDone(leases.get(ASKED), (found, error) -> {
                deadline.cancel();
                tell(error == null, String.valueOf(error));
                again();
            });
        } catch (IllegalStateException e) {
            deadline.cancel();
            tell(false, "closed");
        }
    }

    /** A server that is about to end is not ready for anything new. */
    private void tell(boolean answered, String why) {
        boolean now = answered && !draining.getAsBoolean();
        if (ready.isHealthy() && !now) {
            log.warn("not ready: {}", answered ? "about to end" : "the store is in trouble: " + why);
        } else if (!ready.isHealthy() && now) {
            log.info("ready: the store answers");
        }
        ready.setHealthy(now);
    }

    private synchronized void again() {
        if (!closed) {
            timer = hostEnvironment.schedule(EVERY, this::ask);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        timer.cancel();
        ready.setHealthy(false);
    }
}
