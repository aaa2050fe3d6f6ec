package dev.holdfast;

import org.jspecify.annotations.Nullable;

/** One run of work under a lease, on the thread of its caller. A loss of the lease interrupts that thread. */
final class LeasedRun {
    private final Thread thread = Thread.currentThread();

    /** Guarded by this. */
    private boolean isRunning = true;

    /** Guarded by this. */
    private boolean isInterrupted;

    private LeasedRun() {}

    static <T extends @Nullable Object> T run(Lease lease, LeaseWork<T> work) throws Exception {
        LeasedRun run = new LeasedRun();
        lease.onLost(reason -> run.interrupt());
        T value;
        try {
            value = work.run(lease);
        } catch (Exception | Error e) {
            run.end();
            throw lost(lease, e);
        }
        run.end();
        LeaseLostException loss = loss(lease);
        if (loss != null) {
            throw loss;
        }
        return value;
    }

    /** An action as work. Its result is the lease, and means nothing. */
    static LeaseWork<Lease> work(LeaseAction action) {
        return lease -> {
            action.run(lease);
            return lease;
        };
    }

    private synchronized void interrupt() {
        if (isRunning) {
            isInterrupted = true;
            thread.interrupt();
        }
    }

    /** After this the thread is not interrupted any more. An interrupt of ours that the work did not see is cleared. */
    private synchronized void end() {
        isRunning = false;
        if (isInterrupted) {
            boolean unused = Thread.interrupted();
        }
    }

    /** The loss of the lease, as work that lost its lease often fails because of that; otherwise the work's own failure. */
    private static Exception lost(Lease lease, Throwable failure) {
        LeaseLostException loss = loss(lease);
        if (loss != null) {
            loss.addSuppressed(failure);
            return loss;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return (Exception) failure;
    }

    private static @Nullable LeaseLostException loss(Lease lease) {
        try {
            lease.checkHeld();
            return null;
        } catch (LeaseLostException e) {
            return e;
        } catch (IllegalStateException e) {
            return null; // The work itself has released or finished it.
        }
    }
}
