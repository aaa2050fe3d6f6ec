package dev.holdfast.fleet;

import dev.holdfast.store.HostEnvironment;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The environment of one process among several. After a kill, nothing runs in it any more. */
final class MortalEnvironment implements HostEnvironment {
    private final ManualClock world;
    private boolean dead;

    MortalEnvironment(ManualClock world) {
        this.world = world;
    }

    void kill() {
        dead = true;
    }

    private Runnable whileAlive(Runnable task) {
        return () -> {
            if (!dead) {
                task.run();
            }
        };
    }

    @Override
    public long nanos() {
        return world.nanos();
    }

    @Override
    public Instant now() {
        return world.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return world.schedule(delay, whileAlive(task));
    }

    @Override
    public void execute(Runnable callback) {
        world.execute(whileAlive(callback));
    }

    @Override
    public UUID randomId() {
        return world.randomId();
    }

    @Override
    public double random() {
        return world.random();
    }

    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        world.await(future);
    }

    @Override
    public void close() {}
}
