package dev.holdfast.server.watch;

import dev.holdfast.Key;
import dev.holdfast.LeaseStatus;
import java.util.List;

/** The outgoing stream of one watch. Called by one thread at a time. */
public interface WatchSink {
    /**
     * Whether the last message was handed to the connection; if not, {@link StatusWatch#ready} is called when it was. All
     * messages before the last one have then left the server.
     */
    boolean isReady();

    /**
     * Sends the latest states of some keys.
     *
     * @param removed keys that no longer exist
     * @param inSync whether, with this, all states were sent that existed when the watch began; once
     */
    void tell(List<LeaseStatus> statuses, List<Key> removed, boolean inSync);

    /** Sends a message without content: when the sink is ready again, all before it has left the server. */
    void probe();

    /** Ends the watch. */
    void fail(Throwable reason);
}
