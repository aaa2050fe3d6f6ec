package dev.holdfast.internal.pipeline;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An environment with a clock that only the test moves. For one thread. */
public final class StillEnvironment implements HostEnvironment {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Runs each callback; by default immediately. */
    public Consumer<Runnable> callbacks = Runnable::run;

    private final List<Task> tasks = new ArrayList<>();
    private long nowNanos;
    private long ids;

    private record Task(long atNanos, Runnable action) {}

    /** Moves the clock, and runs the timers that become due, in their order. */
    public void advance(Duration time) {
        long untilNanos = nowNanos + time.toNanos();
        for (Optional<Task> next = next(untilNanos); next.isPresent(); next = next(untilNanos)) {
            tasks.remove(next.get());
            nowNanos = Math.max(nowNanos, next.get().atNanos);
            next.get().action.run();
        }
        nowNanos = untilNanos;
    }

    private Optional<Task> next(long untilNanos) {
        return tasks.stream().filter(task -> task.atNanos <= untilNanos).min(Comparator.comparingLong(Task::atNanos));
    }

    /** Runs every timer that is set, although none of them is due: some systems fire timers early. */
    public void fireEarly() {
        List<Task> set = List.copyOf(tasks);
        tasks.removeAll(set);
        set.forEach(task -> task.action.run());
    }

    /** The number of timers that are set. */
    public int timers() {
        return tasks.size();
    }

    @Override
    public long nanos() {
        return nowNanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nowNanos);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Task planned = new Task(nowNanos + delay.toNanos(), task);
        tasks.add(planned);
        return () -> tasks.remove(planned);
    }

    @Override
    public void execute(Runnable callback) {
        callbacks.accept(callback);
    }

    @Override
    public UUID randomId() {
        return new UUID(0x5711, ++ids);
    }

    @Override
    public double random() {
        return 0.5;
    }

    @Override
    public void await(CompletableFuture<?> future) {
        throw new UnsupportedOperationException("nothing blocks here");
    }

    @Override
    public void close() {}
}
