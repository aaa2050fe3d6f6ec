package dev.holdfast.server.watch;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import java.util.List;

/** The outgoing stream of one watch. Called by one thread at a time. */
public interface WatchSink {
    /**
     * Whether the last message was handed to the connection; if not, {@link StatusWatch#ready} is called once it was.
     * All earlier messages have then left the server.
     */
    boolean isReady();

    /**
     * Sends the latest statuses of some keys.
     *
     * @param removed keys that no longer exist
     * @param inSync true once: whether all statuses that existed when the watch began have been sent with this message
     */
    void send(List<LeaseStatus> statuses, List<Key> removed, boolean inSync);

    /** Sends a message without content. When the sink is ready again, all earlier messages have left the server. */
    void probe();

    /** Ends the watch. */
    void fail(Throwable reason);
}
