package dev.holdfast.store;

import dev.holdfast.Key;
import org.jspecify.annotations.Nullable;

/**
 * An optional capability of a {@link LeaseStore}: to notify waiting clients immediately when a key may have become
 * free.
 *
 * <p>Notifications are hints. A store may send one without a reason, and may miss a change (a lost connection). A
 * waiting client that is not notified tries again by itself, so a missed notification costs time, never correctness.
 */
public interface ChangeNotifier {
    /**
     * Calls {@code wake} when {@code key} goes from held to free or done, until the registration is closed. {@code
     * wake} returns fast, and may be called on any thread. If the store is unreachable now, this method does not throw;
     * notification begins when the store can be reached.
     */
    Registration onFreed(Key key, WakeUp wake);

    /** The reaction of a waiting client. */
    @FunctionalInterface
    interface WakeUp {
        /**
         * Attempts to acquire the key.
         *
         * @param found the entry that the store found when it noticed that the key is not held, which saves the client a
         *     read; null if the store did not read it. It may be outdated.
         */
        void wake(@Nullable Entry found);
    }

    /** Ends the notification when closed. Idempotent. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
