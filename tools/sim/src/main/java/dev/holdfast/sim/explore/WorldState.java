package dev.holdfast.sim.explore;

import dev.holdfast.Token;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One state of the world. Immutable.
 *
 * @param nowNanos the time of the store
 * @param network the messages on their way
 * @param ids the number of tokens and versions that were made
 * @param evicted the tokens that an operator evicted by force: from then on only fences protect the resource
 */
record WorldState(
        long nowNanos,
        List<StoredKey> store,
        List<ClientState> clients,
        List<NetworkMessage> network,
        long ids,
        Set<Token> evicted,
        FaultBudget left) {
    static WorldState initial(WorldBounds bounds) {
        List<StoredKey> store = Collections.nCopies(bounds.allKeys(), StoredKey.ABSENT);
        List<ClientState> clients = IntStream.range(0, bounds.clients())
                .mapToObj(i -> ClientState.fresh(bounds.isSlow(i), bounds.allKeys(), 0))
                .toList();
        return new WorldState(0, store, clients, List.of(), 1, Set.of(), FaultBudget.of(bounds));
    }

    WorldState at(long newNowNanos, FaultBudget newLeft) {
        return new WorldState(newNowNanos, store, clients, network, ids, evicted, newLeft);
    }

    WorldState withLeft(FaultBudget newLeft) {
        return new WorldState(nowNanos, store, clients, network, ids, evicted, newLeft);
    }

    WorldState withIds(long newIds) {
        return new WorldState(nowNanos, store, clients, network, newIds, evicted, left);
    }

    WorldState withEvicted(Token token) {
        Set<Token> all = new HashSet<>(evicted);
        all.add(token);
        return new WorldState(nowNanos, store, clients, network, ids, all, left);
    }

    /** Whether a lease, or the anchor that it lives by, was evicted by force. */
    boolean isEvicted(ClientState client, HeldKey held, int anchorKey) {
        HeldKey anchor = held.anchor() == null ? null : client.held().get(anchorKey);
        return evicted.contains(held.token()) || (anchor != null && evicted.contains(anchor.token()));
    }

    WorldState withClient(int client, ClientState state) {
        List<ClientState> all = new ArrayList<>(clients);
        all.set(client, state);
        return new WorldState(nowNanos, store, all, network, ids, evicted, left);
    }

    WorldState withStored(int key, StoredKey stored) {
        List<StoredKey> all = new ArrayList<>(store);
        all.set(key, stored);
        return new WorldState(nowNanos, all, clients, network, ids, evicted, left);
    }

    WorldState with(NetworkMessage message) {
        List<NetworkMessage> all = new ArrayList<>(network);
        all.add(message);
        return new WorldState(nowNanos, store, clients, all, ids, evicted, left);
    }

    WorldState without(NetworkMessage message) {
        List<NetworkMessage> all = new ArrayList<>(network);
        all.remove(message);
        return new WorldState(nowNanos, store, clients, all, ids, evicted, left);
    }

    /** The same without messages that can have no effect any more. */
    WorldState tidied() {
        List<NetworkMessage> all = new ArrayList<>(network.size());
        for (NetworkMessage message : network) {
            if (matters(message)) {
                all.add(message);
            }
        }
        return all.size() == network.size() ? this : new WorldState(nowNanos, store, clients, all, ids, evicted, left);
    }

    /**
     * A client ignores the answers to its earlier sends. A change whose expected version is not the current one can
     * never be applied, as versions are never reused.
     */
    private boolean matters(NetworkMessage message) {
        RunningRequest running = clients.get(message.client()).running();
        boolean isAwaited = running != null && running.send() == message.send();
        return isAwaited
                || (message instanceof NetworkMessage.WriteRequest write
                        && store.get(write.key()).accepts(write.change()));
    }
}
