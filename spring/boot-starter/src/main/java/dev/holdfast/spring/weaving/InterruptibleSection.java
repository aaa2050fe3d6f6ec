package dev.holdfast.spring.weaving;

/** A section of code on the thread that created this, which other threads may interrupt until it ends. */
final class InterruptibleSection {
    private final Thread thread = Thread.currentThread();

    /** Guarded by this. */
    private boolean running = true;

    /** Guarded by this. */
    private boolean interrupted;

    synchronized void interrupt() {
        if (running) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Ends the section. An interrupt that the section did not see is cleared. */
    synchronized void end() {
        running = false;
        if (interrupted) {
            boolean unused = Thread.interrupted();
        }
    }
}
