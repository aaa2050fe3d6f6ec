package dev.holdfast.testkit.engine;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** A runtime on which whoever waits is interrupted at the worst moment: right after something has happened. */
final class InterruptingRuntime implements HostEnvironment {
    private final HostEnvironment delegate;
    private final Runnable happens;

    InterruptingRuntime(HostEnvironment delegate, Runnable happens) {
        this.delegate = delegate;
        this.happens = happens;
    }

    @Override
    public void await(CompletableFuture<?> future) throws InterruptedException {
        happens.run();
        throw new InterruptedException("as the test wants it");
    }

    @Override
    public long nanos() {
        return delegate.nanos();
    }

    @Override
    public Instant now() {
        return delegate.now();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return delegate.schedule(delay, task);
    }

    @Override
    public void execute(Runnable callback) {
        delegate.execute(callback);
    }

    @Override
    public UUID randomId() {
        return delegate.randomId();
    }

    @Override
    public double random() {
        return delegate.random();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
