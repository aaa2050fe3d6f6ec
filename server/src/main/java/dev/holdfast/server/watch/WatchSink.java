package dev.holdfast.server.watch;

import dev.holdfast.proto.v1.WatchResponse;

/** The outgoing stream of one watch. Called by one thread at a time. */
public interface WatchSink {
    /**
     * Whether the last message was handed to the connection; if not, {@link StatusWatch#ready} is called once it was.
     * All earlier messages have then left the server.
     */
    boolean isReady();

    /** Sends the latest statuses of some keys, and the keys that no longer exist. */
    void send(WatchResponse message);

    /** Sends a message without content. When the sink is ready again, all earlier messages have left the server. */
    void probe();

    /** Ends the watch. */
    void fail(Throwable reason);
}
