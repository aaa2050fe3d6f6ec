package dev.holdfast.spring.weaving;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The calls that run under a lease now, each on its own thread. */
public final class RunningCalls {
    private final Set<InterruptibleSection> running = ConcurrentHashMap.newKeySet();
    private final Semaphore ended = new Semaphore(0);

    InterruptibleSection begin() {
        InterruptibleSection section = new InterruptibleSection();
        running.add(section);
        return section;
    }

    void end(InterruptibleSection section) {
        section.end();
        running.remove(section);
        ended.release();
    }

    /**
     * Interrupts all calls, and waits until they have ended.
     *
     * @return how many have not ended in time
     */
    public int interruptAll(Duration patience) throws InterruptedException {
        running.forEach(InterruptibleSection::interrupt);
        long endNanos = System.nanoTime() + patience.toNanos();
        while (!running.isEmpty() && ended.tryAcquire(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            // One of them has ended, perhaps before this call.
        }
        return running.size();
    }
}
