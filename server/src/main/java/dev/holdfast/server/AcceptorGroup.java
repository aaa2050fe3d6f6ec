package dev.holdfast.server;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.ThreadFactories;
import com.linecorp.armeria.common.util.TransportType;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * An event loop group with a single thread that accepts connections. It shuts down without a quiet period: once the
 * port is closed it has nothing to wait for. Netty's default of two quiet seconds would only delay the shutdown of the
 * server.
 */
final class AcceptorGroup extends MultiThreadIoEventLoopGroup {
    private AcceptorGroup(String threadName, IoHandlerFactory handlers) {
        super(1, ThreadFactories.newEventLoopThreadFactory(threadName, false), handlers);
    }

    /**
     * A group for the transport that Armeria's other threads use. Armeria creates the group for transports unknown
     * here.
     */
    static EventLoopGroup named(String threadName) {
        TransportType transport = Flags.transportType();
        return switch (transport) {
            case NIO -> new AcceptorGroup(threadName, NioIoHandler.newFactory());
            case EPOLL -> new AcceptorGroup(threadName, EpollIoHandler.newFactory());
            default ->
                transport.newEventLoopGroup(1, type -> ThreadFactories.newEventLoopThreadFactory(threadName, false));
        };
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return super.shutdownGracefully(0, timeout, unit);
    }
}
