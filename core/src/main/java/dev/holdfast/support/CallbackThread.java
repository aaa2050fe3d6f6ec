package dev.holdfast.support;

/**
 * The mark of a thread that is completing futures for callers. A blocking call made there, from a callback of an
 * asynchronous one, would wait for itself. So it is rejected, with a message that names the alternatives.
 */
public final class CallbackThread {
    /** A counter for each thread, which keeps it: a new one for each call showed up in profiles. */
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    private CallbackThread() {}

    /** Runs {@code work}, which completes futures that have callbacks. */
    public static void run(Runnable work) {
        int[] depth = DEPTH.get();
        depth[0]++;
        try {
            work.run();
        } finally {
            depth[0]--;
        }
    }

    /** Whether this thread is completing futures for callers. */
    public static boolean isUnderWay() {
        return DEPTH.get()[0] > 0;
    }

    /** @throws IllegalStateException if this thread is completing futures for callers */
    public static void refuseBlocking() {
        if (isUnderWay()) {
            throw new IllegalStateException("a blocking call inside a callback of an asynchronous one would wait for"
                    + " itself: use the asynchronous form, or continue with thenApplyAsync and the like");
        }
    }
}
