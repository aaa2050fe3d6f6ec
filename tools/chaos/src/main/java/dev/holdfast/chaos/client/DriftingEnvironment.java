package dev.holdfast.chaos.client;

import dev.holdfast.environment.SystemEnvironment;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The environment of production on clocks that run at another rate: ticker, wall clock and timers alike. */
final class DriftingEnvironment implements HostEnvironment {
    private final SystemEnvironment system = new SystemEnvironment();
    private final double rate;
    private final long startNanos = System.nanoTime();
    private final Instant startWall = Instant.now();

    /** @param rate the seconds of these clocks in one second of the machine */
    DriftingEnvironment(double rate) {
        if (!(rate > 0.1 && rate < 10)) {
            throw new IllegalArgumentException("rate: " + rate + " (expected: 0.1 to 10)");
        }
        this.rate = rate;
    }

    @Override
    public long nanos() {
        return drifted(system.nanos() - startNanos);
    }

    private long drifted(long nanos) {
        return (long) (nanos * rate);
    }

    /** Keeps steps of the machine's wall clock. */
    @Override
    public Instant now() {
        Duration passed = Duration.between(startWall, system.now());
        return startWall.plusNanos(drifted(passed.toNanos()));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return system.schedule(Duration.ofNanos((long) (ArgumentCheck.cappedNanos(delay) / rate)), task);
    }

    @Override
    public void execute(Runnable callback) {
        system.execute(callback);
    }

    @Override
    public Task start(String name, Runnable task) {
        return system.start(name, task);
    }

    @Override
    public void executeBlocking(Runnable callback) {
        system.executeBlocking(callback);
    }

    @Override
    public UUID randomId() {
        return system.randomId();
    }

    @Override
    public double random() {
        return system.random();
    }

    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        system.await(future);
    }

    @Override
    public void close() {
        system.close();
    }
}
