package dev.holdfast;

/**
 * Receives the events of a client, for metrics and logs. Methods are called on the threads that do the work, so they must
 * return fast and never block. Exceptions are logged. By default all methods do nothing.
 */
public interface LeaseListener {
    /** Ignores all events. */
    LeaseListener NONE = new LeaseListener() {};

    /** A lease was granted to this client. */
    default void onGranted(Key key, Fence fence) {}

    /** A lease was renewed; {@code leftNanos} is the rest of its term just before. */
    default void onRenewed(Key key, long leftNanos) {}

    /** A lease of this client was lost. On a server: a holder was notified of its loss. */
    default void onLost(Key key, LostReason reason) {}

    /** This client evicted a lease: an expired anchor, or a lease by force. */
    default void onEvicted(Key key, String why) {}

    /** Another client wrote the key first; the request is decided again. */
    default void onConflict(Key key) {}

    /** A request will be tried again, because of {@code cause}. */
    default void onRetry(Key key, int attempt, StoreException cause) {}

    /** A batch was answered, or failed. */
    default void onBatch(int changes, long nanos) {}

    /** A batch was answered, or failed, while {@code waiting} requests queued for the next one of the same lane. */
    default void onQueue(int waiting) {}

    /**
     * A request that had to wait for the holder of a key stopped waiting.
     *
     * @param granted whether it was granted the key; otherwise its time was over, its caller left, or it failed
     */
    default void onWaitEnded(Key key, long nanos, boolean granted) {}

    /** A request was answered, after all its retries. */
    default void onAnswered(Key key, long nanos) {}
}
