package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.internal.units.SerialExecutor;
import dev.holdfast.fleet.internal.worker.UnitSlotServices;
import dev.holdfast.internal.Futures;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again: one look at a time, right away when asked to, else after a while that differs a little each time,
 * so that workers do not all look at one moment. Confined to the worker's {@link SerialExecutor}.
 */
public final class PollTimer {
    private static final double SPREAD = 0.2;

    private final UnitSlotServices unitSlotServices;
    private final Supplier<CompletionStage<Void>> look;
    private HostEnvironment.@Nullable Timer next;
    private boolean looking;
    private boolean again;
    private boolean stopped;

    /** @param look begins a look; done when all that follows from it is */
    public PollTimer(UnitSlotServices unitSlotServices, Supplier<CompletionStage<Void>> look) {
        this.unitSlotServices = unitSlotServices;
        this.look = look;
    }

    /** Looks now, or right after the look under way. */
    public void now() {
        if (looking) {
            again = true;
        } else if (!stopped) {
            looking = true;
            again = false;
            if (next != null) {
                next.cancel();
            }
            Futures.whenDone(look.get(), (nothing, error) -> unitSlotServices.run(this::looked));
        }
    }

    private void looked() {
        looking = false;
        if (stopped) {
            return;
        }
        if (again) {
            now();
            return;
        }
        Duration poll = unitSlotServices.options().poll();
        double factor = 1 - SPREAD / 2 + SPREAD * unitSlotServices.runtime().random();
        next = unitSlotServices.schedule(Duration.ofNanos((long) (poll.toNanos() * factor)), this::now);
    }

    public void stop() {
        stopped = true;
        if (next != null) {
            next.cancel();
        }
    }
}
