package dev.holdfast.internal.pipeline;

import dev.holdfast.Fence;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.Version;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of one client, and the order of its questions and answers. Thread-safe.
 *
 * <p>The order decides which answers may refuse a request: only answers to questions that were sent after the request
 * began.
 */
public final class PipelineClock {
    private final HostEnvironment environment;
    private final AtomicLong places = new AtomicLong();

    public PipelineClock(HostEnvironment environment) {
        this.environment = environment;
    }

    public HostEnvironment environment() {
        return environment;
    }

    public long nanos() {
        return environment.nanos();
    }

    /** The next place in the order of questions and answers. */
    public long nextPlace() {
        return places.incrementAndGet();
    }

    public ClockReading reading() {
        return new ClockReading(environment.nanos(), environment.now());
    }

    /** The stamp of a write. Its wall-clock time has microseconds, the precision that every store keeps. */
    WriteStamp stamp(Fence floor) {
        ClockReading at =
                new ClockReading(environment.nanos(), environment.now().truncatedTo(ChronoUnit.MICROS));
        return new WriteStamp(Version.of(environment.randomId()), at, floor);
    }

    boolean isOver(long deadlineNanos) {
        return nanos() - deadlineNanos >= 0;
    }
}
