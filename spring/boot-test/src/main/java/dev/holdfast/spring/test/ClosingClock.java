package dev.holdfast.spring.test;

import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/** Moves the clock while the application is closed: a hand-over of units takes time, and no test moves the clock any more. */
final class ClosingClock implements ApplicationListener<ContextClosedEvent>, DisposableBean {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final long PAUSE_MILLIS = 5;

    private final ManualClock clock;
    private volatile boolean closed;

    ClosingClock(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        Thread thread = new Thread(this::run, "holdfast-test-clock");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                clock.advance(STEP);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void destroy() {
        closed = true;
    }
}
