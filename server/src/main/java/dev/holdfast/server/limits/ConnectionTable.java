package dev.holdfast.server.limits;

import dev.holdfast.server.limits.LimitListener.Limit;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, shared fairly between the addresses that they come from ({@link FairShares}).
 *
 * <p>A connection beyond the share of its address replaces the connection of that address that has been idle longest.
 * If the server is full, a connection of the address with the most connections is replaced. If no connection is idle,
 * the new one is accepted for health checks only. A few such connections are accepted beyond the limit, and each
 * further one replaces the oldest. So a full server is not mistaken for a dead one.
 *
 * <p>Thread-safe. The lock is never held while calling out.
 */
final class ConnectionTable {
    /** Enough for the probes of a server, and few enough to cost nothing. */
    static final int RESERVE = 32;

    private final int most;
    private final LimitListener limitListener;
    private final Map<String, Group> groups = new HashMap<>();
    private final Deque<OpenConnection> reserve = new ArrayDeque<>();
    private int open;

    /**
     * One connection.
     *
     * @param address the address group that it comes from
     * @param isHealthOnly whether it was accepted beyond the limit, for health checks only
     */
    record OpenConnection(Channel channel, String address, boolean isHealthOnly) {
        @SuppressWarnings("FutureReturnValueIgnored") // If a connection cannot be closed, nothing more can be done.
        private void close() {
            channel.eventLoop().execute(channel::close);
        }
    }

    /** The connections of one address. */
    private static final class Group {
        private final Set<OpenConnection> all = new LinkedHashSet<>();
        /** In the order in which they became idle. */
        private final Set<OpenConnection> idle = new LinkedHashSet<>();

        private int open() {
            return all.size();
        }
    }

    ConnectionTable(int most, LimitListener limitListener) {
        this.most = most;
        this.limitListener = limitListener;
    }

    /** Accepts a connection, and closes another one if necessary. */
    OpenConnection accept(Channel channel, String address) {
        OpenConnection accepted;
        OpenConnection replaced;
        synchronized (this) {
            int own = groups.containsKey(address) ? groups.get(address).open() : 0;
            boolean fits = FairShares.allows(own, most - open);
            replaced = fits ? null : removeIdle(address);
            accepted = new OpenConnection(channel, address, !fits && replaced == null);
            if (accepted.isHealthOnly()) {
                reserve.add(accepted);
                replaced = reserve.size() > RESERVE ? reserve.poll() : null;
            } else {
                Group group = groups.computeIfAbsent(address, any -> new Group());
                group.all.add(accepted);
                group.idle.add(accepted);
                open++;
            }
        }
        if (replaced != null || accepted.isHealthOnly()) {
            limitListener.on(Limit.CONNECTIONS);
        }
        if (replaced != null) {
            replaced.close();
        }
        return accepted;
    }

    private @Nullable OpenConnection removeIdle(String address) {
        Group from = most > open
                ? groups.get(address)
                : groups.values().stream()
                        .filter(group -> !group.idle.isEmpty())
                        .max(Comparator.comparingInt(Group::open))
                        .orElse(null);
        Iterator<OpenConnection> idle = from == null ? null : from.idle.iterator();
        if (idle == null || !idle.hasNext()) {
            return null;
        }
        OpenConnection longest = idle.next();
        remove(longest);
        return longest;
    }

    /** Records that an idle connection has a request. */
    synchronized void busy(OpenConnection connection) {
        Group group = groups.get(connection.address());
        if (group != null) {
            group.idle.remove(connection);
        }
    }

    /** Records that the last request of a connection has ended. */
    synchronized void idle(OpenConnection connection) {
        Group group = groups.get(connection.address());
        if (group != null && group.all.contains(connection)) {
            group.idle.add(connection);
        }
    }

    /** Removes a closed connection. Idempotent. */
    synchronized void remove(OpenConnection connection) {
        if (connection.isHealthOnly()) {
            reserve.remove(connection);
            return;
        }
        Group group = groups.get(connection.address());
        if (group != null && group.all.remove(connection)) {
            group.idle.remove(connection);
            open--;
            if (group.all.isEmpty()) {
                groups.remove(connection.address());
            }
        }
    }

    synchronized int size() {
        return open + reserve.size();
    }
}
