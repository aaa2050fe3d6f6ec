package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.fleet.internal.worker.UnitSlotServices;
import dev.holdfast.support.Futures;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A timer for repeated polls. Only one poll runs at a time. A requested poll runs right away. Otherwise the next one
 * follows after a slightly random interval, so that workers do not all poll at the same moment. Confined to the
 * worker's {@link SerialExecutor}.
 */
public final class PollTimer {
    private static final double SPREAD = 0.2;

    private final UnitSlotServices unitSlotServices;
    private final Supplier<CompletionStage<Void>> poll;
    private HostEnvironment.@Nullable Timer next;
    private boolean polling;
    private boolean pollRequested;
    private boolean stopped;

    /** @param poll starts a poll; its stage completes when the result has been processed */
    public PollTimer(UnitSlotServices unitSlotServices, Supplier<CompletionStage<Void>> poll) {
        this.unitSlotServices = unitSlotServices;
        this.poll = poll;
    }

    /** Polls now, or right after the current poll. */
    public void pollNow() {
        if (polling) {
            pollRequested = true;
        } else if (!stopped) {
            polling = true;
            pollRequested = false;
            if (next != null) {
                next.cancel();
            }
            Futures.whenDone(poll.get(), (nothing, error) -> unitSlotServices.run(this::polled));
        }
    }

    private void polled() {
        polling = false;
        if (stopped) {
            return;
        }
        if (pollRequested) {
            pollNow();
            return;
        }
        Duration interval = unitSlotServices.options().poll();
        double factor = 1 - SPREAD / 2 + SPREAD * unitSlotServices.runtime().random();
        next = unitSlotServices.schedule(Duration.ofNanos((long) (interval.toNanos() * factor)), this::pollNow);
    }

    public void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
    }
}
