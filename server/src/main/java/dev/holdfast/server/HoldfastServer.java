package dev.holdfast.server;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerPort;
import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.server.calls.AuditLog;
import dev.holdfast.server.calls.CallerAnchors;
import dev.holdfast.server.calls.HolderOrigins;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.calls.RequestGate;
import dev.holdfast.server.calls.ServerComponents;
import dev.holdfast.server.calls.StreamAdmission;
import dev.holdfast.server.extension.ChangedKeys;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.extension.ServerExtension;
import dev.holdfast.server.extension.ServerProtocol;
import dev.holdfast.server.grpc.GrpcEndpoint;
import dev.holdfast.server.grpc.GrpcLeasesService;
import dev.holdfast.server.http.HttpLeasesService;
import dev.holdfast.server.http.JsonErrorHandler;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.security.HostGate;
import dev.holdfast.server.watch.SharedScan;
import dev.holdfast.server.wire.RequestDebugLog;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.service.LeaseService;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import dev.holdfast.wire.ProtocolVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A server that offers leases to clients of any language, on one port. All its state is in the store: any number of
 * servers may share a store, and each of them may stop at any time.
 *
 * <p>Thread-safe.
 */
public final class HoldfastServer implements AutoCloseable {
    /**
     * How long the server must have been without requests before it stops. With zero, Armeria would not wait for
     * running requests.
     */
    private static final Duration QUIET = Duration.ofMillis(50);
    /**
     * How long an open connection still accepts requests after the server has sent the client a GOAWAY: one round trip.
     * A request that arrives later is rejected unprocessed, and the client repeats it elsewhere. Armeria's default of
     * one second would delay the shutdown of every server that has clients.
     */
    private static final Duration CONNECTION_DRAIN = Duration.ofMillis(200);

    private final Leases leases;
    private final boolean ownsLeases;
    private final ServerDrain serverDrain = new ServerDrain();
    private final SharedScan watches;
    private final Server server;

    private HoldfastServer(Builder from) {
        this.leases = from.served();
        this.ownsLeases = from.leases == null;
        this.watches = new SharedScan(leases.async(), LeaseService.of(leases).environment());
        this.server = assemble(
                from,
                new ServerComponents(
                        leases,
                        leases.async(),
                        LeaseService.of(leases),
                        from.accessGuard,
                        from.streamAdmission,
                        from.requestGate,
                        serverDrain,
                        watches,
                        new AuditLog(from.accessGuard),
                        new HolderOrigins(),
                        new ChangedKeys()));
    }

    public static Builder builder() {
        return new Builder();
    }

    private static Server assemble(Builder from, ServerComponents parts) {
        CallerAnchors anchors = new CallerAnchors(parts);
        LeaseOperations leaseCalls = new LeaseOperations(parts, anchors);
        KeyOperations keyCalls = new KeyOperations(parts, anchors);
        ServerBuilder server = Server.builder()
                .port(new ServerPort(from.listen, from.protocol))
                // Waits, watches and sessions have no time limit; the request pipeline bounds the time of all other
                // requests.
                .requestTimeoutMillis(0)
                // A peer that vanished without closing its connection does not respond to a ping.
                .pingInterval(from.ping)
                .errorHandler(new JsonErrorHandler())
                .disableServerHeader()
                // These are exceptions caused by clients that cancel or disconnect; all others are logged where they
                // are handled.
                .unloggedExceptionsReportIntervalMillis(0)
                .bossGroupFactory(AcceptorGroup::named)
                .connectionDrainDuration(CONNECTION_DRAIN)
                .gracefulShutdownTimeout(QUIET.compareTo(from.drain) < 0 ? QUIET : from.drain, from.drain)
                .serviceUnder(RequestPaths.HTTP, new HttpLeasesService(parts, leaseCalls, keyCalls))
                .decorator(RequestDebugLog::serve);
        GrpcEndpoint.add(server, GrpcLeasesService.define(parts, anchors, leaseCalls, keyCalls));
        new ProtocolVersionGate(ProtocolVersion.CURRENT).extend(server, parts);
        from.hostGate().extend(server);
        from.extensions.forEach(extension -> extension.extend(server, parts));
        server.decorator(JsonErrorHandler::serve);
        return server.build();
    }

    /**
     * Starts to listen.
     *
     * @throws IllegalStateException if the server cannot listen
     */
    public void start() {
        try {
            server.start().join();
        } catch (CompletionException e) {
            throw new IllegalStateException("cannot listen: " + Futures.cause(e).getMessage(), e);
        }
    }

    /** The address that the server listens on. */
    public InetSocketAddress address() {
        return server.activePorts().values().iterator().next().localAddress();
    }

    /**
     * Shuts the server down gracefully, within the drain time: it rejects new waits and finishes running requests.
     * Idempotent.
     */
    @Override
    public void close() {
        serverDrain.begin();
        server.stop().join();
        watches.close();
        if (ownsLeases) {
            leases.close();
        }
    }

    /** Builder of a {@link HoldfastServer}; rejects a bad value immediately. */
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

        /** The leases to serve; they stay open when the server is closed. */
        public Builder leases(Leases newLeases) {
            leases = newLeases;
            return this;
        }

        /** The URL of the store that holds the leases to serve. */
        public Builder store(String newUrl) {
            store = newUrl;
            return this;
        }

        /** The options for opening that store. */
        public Builder options(LeasesOptions newOptions) {
            options = newOptions;
            return this;
        }

        /** The address to listen on. Default: 127.0.0.1:7475. With port 0 the system chooses a free port. */
        public Builder listen(InetSocketAddress newListen) {
            listen = newListen;
            return this;
        }

        /** Accepts TLS only; an extension must supply the certificate. */
        public Builder encrypted() {
            protocol = SessionProtocol.HTTPS;
            return this;
        }

        /** How long a shutdown may take. Default: 10 seconds. */
        public Builder drain(Duration newDrain) {
            drain = ArgumentCheck.positive("drain", newDrain, Duration.ofHours(1));
            return this;
        }

        /** How often to ping an HTTP/2 client that sends nothing. Default: 15 seconds. */
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
        public Builder gate(RequestGate newGate) {
            requestGate = newGate;
            return this;
        }

        /**
         * Further names of this server, and of the sites with pages that may call it. Default: none.
         *
         * <p>A server without a guard checks the host name in requests if it listens on a loopback address, or if names
         * are given here.
         */
        public Builder allowedHosts(List<String> newNames) {
            allowedHosts = List.copyOf(newNames);
            return this;
        }

        /** Adds an extension: decorators, services or TLS. */
        public Builder with(ServerExtension extension) {
            extensions.add(extension);
            return this;
        }

        /** Adds another protocol. */
        public Builder with(ServerProtocol protocol) {
            return with((server, leases) -> GrpcEndpoint.add(server, protocol, leases));
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

        private Leases served() {
            Leases given = leases != null ? leases : open();
            if (LeaseService.of(given).decidesHere()) {
                return given;
            }
            throw ArgumentCheck.bad(
                    "leases", given.getClass().getSimpleName(), "leases on a store, not on another server");
        }

        private Leases open() {
            if (store == null) {
                throw ArgumentCheck.bad("store", null, "a store or leases to serve");
            }
            return Holdfast.open(store, options);
        }
    }
}
