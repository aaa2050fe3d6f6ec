package dev.holdfast;

/**
 * Hears of what a client does, for metrics and logs. Methods are called on the threads that do the work: they return
 * fast and never block. What they throw is logged. All do nothing by default.
 */
public interface LeaseListener {
    /** Hears nothing. */
    LeaseListener NONE = new LeaseListener() {};

    /** A lease was granted to this client. */
    default void onGranted(Key key, Fence fence) {}

    /** A lease was renewed; {@code leftNanos} is what was left of its term just before. */
    default void onRenewed(Key key, long leftNanos) {}

    /** A lease of this client was lost; or, of one that acts for others, its holder was told so. */
    default void onLost(Key key, LostReason reason) {}

    /** This client took a lease away: from a silent anchor, or by force. */
    default void onEvicted(Key key, String why) {}

    /** Somebody else wrote the key first; the request is decided again. */
    default void onConflict(Key key) {}

    /** A request will be tried again, because of {@code cause}. */
    default void onRetry(Key key, int attempt, StoreException cause) {}

    /** A batch was answered, or failed. */
    default void onBatch(int changes, long nanos) {}

    /** A batch was answered, or failed, while {@code waiting} requests queued for the next one of the same lane. */
    default void onQueue(int waiting) {}

    /** A request was answered, after all its retries. */
    default void onAnswered(Key key, long nanos) {}
}
