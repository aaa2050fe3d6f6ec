package dev.holdfast.sim.explore;

import dev.holdfast.store.Change;
import dev.holdfast.store.StoredEntry;
import org.jspecify.annotations.Nullable;

/** A message on its way. It arrives at any later time, or never. */
sealed interface NetworkMessage {
    int client();

    /** The send that it belongs to, in the order of the client's sends. The client ignores answers to earlier ones. */
    long send();

    /**
     * A change on its way to the store.
     *
     * @param byForce whether it evicts the holder of the key
     */
    record WriteRequest(int client, long send, int key, Change change, boolean byForce) implements NetworkMessage {}

    /** A question on its way to the store. */
    record ReadRequest(int client, long send, int key) implements NetworkMessage {}

    /**
     * An answer on its way to a client.
     *
     * @param applied whether a change was applied; then there is no entry
     * @param stored the entry that was read, or that was in the way of the change
     */
    record StoreAnswer(
            int client,
            long send,
            boolean applied,
            @Nullable StoredEntry stored) implements NetworkMessage {}
}
