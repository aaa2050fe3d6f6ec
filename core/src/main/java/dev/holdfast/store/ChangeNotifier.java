package dev.holdfast.store;

import dev.holdfast.Key;

/**
 * An optional power of a {@link LeaseStore}: to tell at once when a key that somebody waits for may have become free.
 *
 * <p>Notification is advice. A store may call without reason, and may miss a change (a lost connection): a waiter that
 * is not called looks again by itself, so a missed call costs time, never correctness.
 */
public interface ChangeNotifier {
    /**
     * Calls {@code wake} when {@code key} goes from held to free or done, until the registration is closed. {@code
     * wake} returns fast, and may be called on any thread. A store that cannot be reached now does not throw here: it
     * begins to notify when it can.
     */
    Registration onFreed(Key key, Runnable wake);

    /** Ends the notification when closed. Idempotent. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
