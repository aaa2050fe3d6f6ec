package dev.holdfast.testkit.pipeline;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** An environment that interrupts a waiting thread at the worst moment: right after an action of the test. */
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
        throw new InterruptedException("injected by the test");
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
