package dev.holdfast.embedded;

import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic clean-up, done by one of all the clients that share a store. The client that acquires a certain lease
 * cleans up, and lets that lease expire. So no client cleans up again before the interval is over.
 */
final class CleanUpSchedule {
    /** Long enough that short-lived clients never clean up. */
    static final Duration FIRST = Duration.ofMinutes(10);

    static final Duration INTERVAL = Duration.ofHours(1);

    static final Key TURN = Key.of(Key.RESERVED_PREFIX + "clean-up", "turn");

    private static final Logger log = LoggerFactory.getLogger(CleanUpOptions.class);

    private final LeaseService service;
    private final Holder self;
    private final Supplier<CompletableFuture<Long>> sweep;
    private HostEnvironment.Timer timer;
    private boolean stopped;

    /** @param sweep runs one round of clean-up */
    CleanUpSchedule(LeaseService service, Holder self, Supplier<CompletableFuture<Long>> sweep) {
        this.service = service;
        this.self = self;
        this.sweep = sweep;
        this.timer = service.environment().schedule(FIRST, this::round);
    }

    private void round() {
        LeaseRequest.Acquire turn = LeaseRequest.Acquire.of(self, INTERVAL, service.environment());
        CompletableFuture<Long> swept = Futures.contain(() -> service.submit(TURN, turn))
                .thenCompose(answer -> answer instanceof Answer.Applied ? sweep.get() : none());
        Futures.whenDone(swept, (removed, error) -> {
            if (error != null) {
                log.debug("clean-up failed; trying again in {}", INTERVAL, error);
            } else {
                log.debug("{} entries were removed that had been idle for long", removed);
            }
            again();
        });
    }

    private static CompletableFuture<Long> none() {
        return CompletableFuture.completedFuture(0L);
    }

    private synchronized void again() {
        if (!stopped) {
            timer = service.environment().schedule(INTERVAL, this::round);
        }
    }

    synchronized void stop() {
        stopped = true;
        timer.cancel();
    }
}
