package dev.holdfast.support;

/**
 * The mark of a thread that is completing futures for callers. A blocking call made there, from a callback of an
 * asynchronous one, would wait for itself. So it is rejected, with a message that names the alternatives.
 */
public final class CallbackThread {
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private CallbackThread() {}

    /** Runs {@code work}, which completes futures that have callbacks. */
    public static void run(Runnable work) {
        DEPTH.set(DEPTH.get() + 1);
        try {
            work.run();
        } finally {
            int depth = DEPTH.get() - 1;
            if (depth == 0) {
                DEPTH.remove();
            } else {
                DEPTH.set(depth);
            }
        }
    }

    /** Whether this thread is completing futures for callers. */
    public static boolean isUnderWay() {
        return DEPTH.get() > 0;
    }

    /** @throws IllegalStateException if this thread is completing futures for callers */
    public static void refuseBlocking() {
        if (isUnderWay()) {
            throw new IllegalStateException("a blocking call inside a callback of an asynchronous one would wait for"
                    + " itself: use the asynchronous form, or continue with thenApplyAsync and the like");
        }
    }
}
