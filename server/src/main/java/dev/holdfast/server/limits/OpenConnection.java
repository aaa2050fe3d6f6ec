package dev.holdfast.server.limits;

import io.netty.channel.Channel;

/**
 * One connection in the {@link ConnectionTable}.
 *
 * @param address the address group that it comes from
 * @param isHealthOnly whether it was accepted beyond the limit, for health checks only
 */
record OpenConnection(Channel channel, String address, boolean isHealthOnly) {
    @SuppressWarnings("FutureReturnValueIgnored") // If a connection cannot be closed, nothing more can be done.
    void close() {
        channel.eventLoop().execute(channel::close);
    }
}
