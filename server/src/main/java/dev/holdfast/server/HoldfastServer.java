package dev.holdfast.server;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerPort;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.RelayingLeases;
import dev.holdfast.internal.ArgumentCheck;
import dev.holdfast.internal.Futures;
import dev.holdfast.server.grpc.GrpcLeasesService;
import dev.holdfast.server.http.HttpLeasesService;
import dev.holdfast.server.http.JsonErrorHandler;
import dev.holdfast.server.limits.ServerLimits;
import dev.holdfast.server.security.HostGate;
import dev.holdfast.server.watch.WatchRegistry;
import dev.holdfast.server.wire.GrpcErrorHandler;
import dev.holdfast.wire.ProtocolVersion;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Leases for clients of any language, on one port. It keeps nothing that is not in the store: any number of servers may
 * share one, and any of them may end at any time.
 *
 * <p>Thread-safe.
 */
public final class HoldfastServer implements AutoCloseable {
    /** For how long nothing must have been answered before the end; without it nothing would be waited for. */
    private static final Duration QUIET = Duration.ofMillis(50);
    /**
     * How long an open connection still accepts requests once the client was asked to leave: a round trip. A request that
     * arrives later is refused unprocessed, and the client repeats it elsewhere. Armeria's default of a second would
     * delay the end of every server that has clients.
     */
    private static final Duration CONNECTION_DRAIN = Duration.ofMillis(200);

    private final RelayingLeases leases;
    private final boolean ownsLeases;
    private final ServerDrain serverDrain = new ServerDrain();
    private final WatchRegistry watchRegistry;
    private final Server server;

    private HoldfastServer(Builder from) {
        this.leases = from.relaying();
        this.ownsLeases = from.leases == null;
        this.watchRegistry = new WatchRegistry(leases);
        RequestGate requestGate = RequestWindow.around(from.requestGate);
        this.server = assemble(
                from,
                new ServerComponents(
                        leases,
                        from.accessGuard,
                        from.streamAdmission,
                        requestGate,
                        serverDrain,
                        watchRegistry,
                        new AuditLog(from.accessGuard)));
    }

    public static Builder builder() {
        return new Builder();
    }

    private static Server assemble(Builder from, ServerComponents parts) {
        ServerBuilder server = Server.builder()
                .port(new ServerPort(from.listen, from.protocol))
                // Waiting, watching and sessions take as long as they take; all else is bounded by the engine.
                .requestTimeoutMillis(0)
                // A peer that vanished without closing its connection does not answer a ping.
                .pingInterval(from.ping)
                .errorHandler(new JsonErrorHandler())
                .disableServerHeader()
                // Exceptions of clients that cancel or go away; all others are logged where they are handled.
                .unloggedExceptionsReportIntervalMillis(0)
                .bossGroupFactory(AcceptorGroup::named)
                .connectionDrainDuration(CONNECTION_DRAIN)
                .gracefulShutdownTimeout(QUIET.compareTo(from.drain) < 0 ? QUIET : from.drain, from.drain)
                .service(
                        GrpcService.builder()
                                .addService(new GrpcLeasesService(parts))
                                .addService(ProtoReflectionServiceV1.newInstance())
                                .maxRequestMessageLength(ServerLimits.DEFAULT.messageBytes())
                                .exceptionHandler(new GrpcErrorHandler())
                                .build(),
                        EarlyDispatch::new)
                .serviceUnder("/v1/", new HttpLeasesService(parts))
                .decorator(RequestWindow.newDecorator());
        new ProtocolVersionGate(ProtocolVersion.CURRENT).extend(server, parts);
        from.hostGate().extend(server, parts);
        from.extensions.forEach(extension -> extension.extend(server, parts));
        server.decorator(JsonErrorHandler::around);
        return server.build();
    }

    /**
     * Begins to listen.
     *
     * @throws IllegalStateException if it cannot
     */
    public void start() {
        try {
            server.start().join();
        } catch (CompletionException e) {
            throw new IllegalStateException("cannot listen: " + Futures.cause(e).getMessage(), e);
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.activePorts().values().iterator().next().localAddress();
    }

    /** Ends it in good order: refuses new waits, finishes what is running, within the time that was set. Idempotent. */
    @Override
    public void close() {
        serverDrain.begin();
        server.stop().join();
        watchRegistry.close();
        if (ownsLeases) {
            leases.close();
        }
    }

    /** Makes a {@link HoldfastServer}; refuses a bad value at once. */
    public static final class Builder {
        private @Nullable Leases leases;
        private @Nullable String store;
        private LeasesOptions options = LeasesOptions.defaults();
        private InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7475);
        private SessionProtocol protocol = SessionProtocol.HTTP;
        private Duration drain = Duration.ofSeconds(10);
        private Duration ping = Duration.ofSeconds(15);
        private AccessGuard accessGuard = AccessGuard.OPEN;
        private StreamAdmission streamAdmission = StreamAdmission.OPEN;
        private RequestGate requestGate = RequestGate.OPEN;
        private List<String> allowedHosts = List.of();
        private final List<ServerExtension> extensions = new ArrayList<>();

        private Builder() {}

        /** What to serve; stays open when the server is closed. */
        public Builder leases(Leases newLeases) {
            leases = newLeases;
            return this;
        }

        /** The store whose leases to serve. */
        public Builder store(String newUrl) {
            store = newUrl;
            return this;
        }

        /** How to work with that store. */
        public Builder options(LeasesOptions newOptions) {
            options = newOptions;
            return this;
        }

        /** Default: 127.0.0.1:7475. A port of 0 is any that is free. */
        public Builder listen(InetSocketAddress newListen) {
            listen = newListen;
            return this;
        }

        /** Speaks TLS only, with what an extension brings for it. */
        public Builder encrypted() {
            protocol = SessionProtocol.HTTPS;
            return this;
        }

        /** How long the end may take. Default: 10 seconds. */
        public Builder drain(Duration newDrain) {
            drain = ArgumentCheck.positive("drain", newDrain, Duration.ofHours(1));
            return this;
        }

        /** How often to ask a silent HTTP/2 client whether it is still there. Default: 15 seconds. */
        public Builder ping(Duration newPing) {
            ping = ArgumentCheck.positive("ping", newPing, Duration.ofHours(1));
            return this;
        }

        /** Default: {@link AccessGuard#OPEN}. */
        public Builder guard(AccessGuard newGuard) {
            accessGuard = newGuard;
            return this;
        }

        /** Default: {@link StreamAdmission#OPEN}. */
        public Builder admission(StreamAdmission newAdmission) {
            streamAdmission = newAdmission;
            return this;
        }

        /** Default: {@link RequestGate#OPEN}. */
        public Builder turnstile(RequestGate newTurnstile) {
            requestGate = newTurnstile;
            return this;
        }

        /**
         * Further names of this server, and of the sites whose pages may call it. Default: none.
         *
         * <p>A server without a guard checks the host that requests name if it listens at a loopback address, or if names
         * are given here.
         */
        public Builder allowedHosts(List<String> newNames) {
            allowedHosts = List.copyOf(newNames);
            return this;
        }

        /** Adds decorators, services, TLS. */
        public Builder with(ServerExtension extension) {
            extensions.add(extension);
            return this;
        }

        public HoldfastServer build() {
            return new HoldfastServer(this);
        }

        private HostGate hostGate() {
            InetAddress address = listen.getAddress();
            boolean loopback = address != null && address.isLoopbackAddress();
            return new HostGate(
                    accessGuard == AccessGuard.OPEN && (loopback || !allowedHosts.isEmpty()), address, allowedHosts);
        }

        private RelayingLeases relaying() {
            Leases given = leases != null ? leases : open();
            if (given instanceof RelayingLeases relaying) {
                return relaying;
            }
            throw ArgumentCheck.bad(
                    "leases", given.getClass().getSimpleName(), "those of a store, not of another server");
        }

        private Leases open() {
            if (store == null) {
                throw ArgumentCheck.bad("store", null, "a store or leases to serve");
            }
            return Holdfast.open(store, options);
        }
    }
}
