package dev.holdfast.internal;

import java.util.function.Supplier;

/**
 * Marks a thread that is about to wait for its own request. If the store has nothing else to do, it may as well run that
 * request on this thread: that saves waking another one, and being woken by it.
 */
public final class WaitingCaller {
    private static final ThreadLocal<Boolean> WAITS = new ThreadLocal<>();

    private WaitingCaller() {}

    /** Makes a call whose result this thread will wait for. */
    static <T> T waitingFor(Supplier<T> call) {
        WAITS.set(Boolean.TRUE);
        try {
            return call.get();
        } finally {
            WAITS.remove();
        }
    }

    /** Whether this thread waits and so may work for itself: once per call, so that it is not kept working for others. */
    public static boolean mayRunItself() {
        boolean waits = WAITS.get() != null;
        if (waits) {
            WAITS.remove();
        }
        return waits;
    }
}
