package dev.holdfast.spring.actuator;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import dev.holdfast.spring.tracking.LeaseTracker;
import dev.holdfast.spring.tracking.TrackedLeases;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reads one key of each store. Down: a store does not answer in time, or fails. */
final class StoreHealthIndicator implements HealthIndicator {
    /** A key that does not need to exist. */
    private static final Key PROBE = Key.of("~health", "probe");

    private final LeaseTracker tracker;
    private final Duration timeout;

    StoreHealthIndicator(LeaseTracker tracker, Duration timeout) {
        this.tracker = tracker;
        this.timeout = timeout;
    }

    @Override
    public Health health() {
        // All at once, so that several stores take no longer than one.
        Map<String, CompletableFuture<Optional<LeaseStatus>>> reads = new LinkedHashMap<>();
        tracker.clients().forEach(client -> reads.put(client.store(), read(client)));
        Health.Builder health = Health.up();
        reads.forEach((store, read) -> {
            String problem = problem(read);
            health.withDetail(store, problem.isEmpty() ? "reachable" : problem);
            if (!problem.isEmpty()) {
                health.down().withDetail("problem", "store unreachable");
            }
        });
        return health.build();
    }

    private CompletableFuture<Optional<LeaseStatus>> read(TrackedLeases client) {
        try {
            return client.async()
                    .get(PROBE)
                    .thenApply(status -> status)
                    .toCompletableFuture()
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e); // For example, the client is closed.
        }
    }

    private String problem(CompletableFuture<?> read) {
        try {
            read.join();
            return "";
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return cause instanceof TimeoutException ? "no answer for " + timeout.toMillis() + " ms" : cause.toString();
        }
    }
}
