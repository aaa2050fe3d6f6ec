package dev.holdfast.server.limits;

import io.netty.channel.Channel;

/**
 * One connection in the {@link ConnectionTable}.
 *
 * @param address where it comes from
 * @param isHealthOnly whether it was accepted beyond the limit, to answer health checks alone
 */
record OpenConnection(Channel channel, String address, boolean isHealthOnly) {
    @SuppressWarnings("FutureReturnValueIgnored") // Nothing is left to do for a connection that cannot be closed.
    void close() {
        channel.eventLoop().execute(channel::close);
    }
}
