package dev.holdfast.spring.boot;

import dev.holdfast.LeaderElection;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.spring.fleets.FleetManager;
import dev.holdfast.spring.leadership.ElectionManager;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * The start and the end of the application's part in elections and fleets. It starts after the web server. It ends before the
 * web server stops to accept requests: other instances take over while this one still works.
 */
final class HandOverLifecycle implements SmartLifecycle, SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(HandOverLifecycle.class);

    /** Above the phase in which Spring Boot begins the graceful shutdown of the web server; below schedulers. */
    static final int PHASE = DEFAULT_PHASE - 512;

    private final ElectionManager elections;
    private final FleetManager fleets;
    private final ListableBeanFactory beans;
    private volatile boolean running;

    HandOverLifecycle(ElectionManager elections, FleetManager fleets, ListableBeanFactory beans) {
        this.elections = elections;
        this.fleets = fleets;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        fleets.check();
    }

    @Override
    public void start() {
        running = true;
        fleets.start();
        elections.start();
    }

    @Override
    public void stop() {
        // All at once: each hand-over may take seconds.
        Stream<CompletableFuture<?>> leaving = beans.getBeanProvider(Fleet.class).stream()
                .map(fleet -> fleet.closeAsync().toCompletableFuture());
        CompletableFuture<?>[] all = leaving.toArray(CompletableFuture<?>[]::new);
        elections.close();
        beans.getBeanProvider(LeaderElection.class).stream().forEach(LeaderElection::close);
        try {
            CompletableFuture.allOf(all).join();
        } catch (RuntimeException e) {
            log.warn("not all units were handed over; they go to other workers when their terms end", e);
        }
        running = false;
    }

    /** On a thread of its own, so that Spring can limit the time of the phase. */
    @Override
    public void stop(Runnable callback) {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "holdfast-hand-over");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Elections and fleets cannot be resumed, so the cache of contexts of Spring's tests must not pause them. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
