package dev.holdfast.sim.world;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The host environment of one simulated process: its time, timers and random numbers. */
public class SimEnvironment implements HostEnvironment {
    private final SimProcess process;
    /** Each life of a process has its own environment. */
    private final long life;

    public SimEnvironment(SimProcess process) {
        this.process = process;
        this.life = process.life();
    }

    @Override
    public long nanos() {
        return process.clock().ticker();
    }

    @Override
    public Instant now() {
        return process.clock().wall();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Runnable[] cancel = {() -> {}};
        if (!isOver()) {
            plan(nanos() + ArgumentCheck.cappedNanos(delay), task, cancel);
        }
        return () -> cancel[0].run();
    }

    /** If the ticker stood still in between, the task is not due when the event runs, and is scheduled again. */
    private void plan(long dueNanos, Runnable task, Runnable[] cancel) {
        long wait = process.clock().worldNanos(dueNanos - nanos());
        cancel[0] = process.after(wait, () -> {
            if (nanos() - dueNanos < 0) {
                plan(dueNanos, task, cancel);
            } else {
                task.run();
            }
        });
    }

    @Override
    public void execute(Runnable callback) {
        if (!isOver()) {
            process.after(0, callback);
        }
    }

    /** Whether its process has crashed. A thread that is ending must not start anything in the next life. */
    private boolean isOver() {
        return process.life() != life;
    }

    @Override
    public UUID randomId() {
        return new UUID(
                process.world().random().nextLong(), process.world().random().nextLong());
    }

    @Override
    public double random() {
        return process.world().random().nextDouble();
    }

    @Override
    public void await(CompletableFuture<?> future) {
        process.block(life, future::isDone);
    }

    @Override
    public void close() {}
}
