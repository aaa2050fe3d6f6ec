package dev.holdfast.support;

import java.util.function.Supplier;

/**
 * The mark of a thread that is about to wait for its own request. An idle store may run that request on this thread.
 * That avoids waking another thread, and being woken by it.
 */
public final class WaitingCaller {
    private static final ThreadLocal<Boolean> WAITS = new ThreadLocal<>();

    private WaitingCaller() {}

    /** Makes a call. This thread will wait for its result. */
    static <T> T waitingFor(Supplier<T> call) {
        WAITS.set(Boolean.TRUE);
        try {
            return call.get();
        } finally {
            WAITS.remove();
        }
    }

    /**
     * Whether this thread waits for its request and may run it. True once per call, so that the thread does not run the
     * requests of others.
     */
    public static boolean mayRunItself() {
        boolean waits = WAITS.get() != null;
        if (waits) {
            WAITS.remove();
        }
        return waits;
    }
}
