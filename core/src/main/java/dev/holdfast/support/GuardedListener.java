package dev.holdfast.support;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.LostReason;
import dev.holdfast.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener that logs the exceptions of a user's listener. The threads that call it also renew leases, and must not
 * fail.
 */
public final class GuardedListener implements LeaseListener {
    private static final Logger log = LoggerFactory.getLogger(LeaseListener.class);

    private final LeaseListener listener;

    private GuardedListener(LeaseListener listener) {
        this.listener = listener;
    }

    /** Returns {@link LeaseListener#NONE} itself, as it needs no guard. */
    public static LeaseListener of(LeaseListener listener) {
        return listener == LeaseListener.NONE ? listener : new GuardedListener(listener);
    }

    @Override
    public void onGranted(Key key, Fence fence) {
        guarded(() -> listener.onGranted(key, fence));
    }

    @Override
    public void onRenewed(Key key, long leftNanos) {
        guarded(() -> listener.onRenewed(key, leftNanos));
    }

    @Override
    public void onLost(Key key, LostReason reason) {
        guarded(() -> listener.onLost(key, reason));
    }

    @Override
    public void onEvicted(Key key, String why) {
        guarded(() -> listener.onEvicted(key, why));
    }

    @Override
    public void onConflict(Key key) {
        guarded(() -> listener.onConflict(key));
    }

    @Override
    public void onRetry(Key key, int attempt, StoreException cause) {
        guarded(() -> listener.onRetry(key, attempt, cause));
    }

    @Override
    public void onBatch(int changes, long nanos) {
        guarded(() -> listener.onBatch(changes, nanos));
    }

    @Override
    public void onQueue(int waiting) {
        guarded(() -> listener.onQueue(waiting));
    }

    @Override
    public void onAnswered(Key key, long nanos) {
        guarded(() -> listener.onAnswered(key, nanos));
    }

    @Override
    public void onWaitEnded(Key key, long nanos, boolean granted) {
        guarded(() -> listener.onWaitEnded(key, nanos, granted));
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            // An Error too: the request that this was about, and the others of its batch, still need their answers.
            log.error("a listener failed", e);
        }
    }
}
