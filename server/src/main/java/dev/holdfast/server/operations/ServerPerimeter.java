package dev.holdfast.server.operations;

import com.linecorp.armeria.server.ServerBuilder;
import dev.holdfast.LeaseListener;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerProtocol;
import dev.holdfast.server.limits.LimitedAdmission;
import dev.holdfast.server.limits.RequestLimits;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.security.CallerAuthentication;
import dev.holdfast.server.security.CallerTable;
import dev.holdfast.server.security.ClientName;
import dev.holdfast.server.security.FileWatch;
import dev.holdfast.server.security.ServerTls;
import dev.holdfast.server.security.SessionTable;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything around the services of a production server: authentication, TLS, limits, metrics, health, and the other
 * protocols that are on the class path. Belongs to one server; closed after it.
 */
public final class ServerPerimeter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerPerimeter.class);

    private final PerimeterOptions options;
    private final ServerMetrics metrics = new ServerMetrics();
    private final @Nullable ServerTls tls;
    private final @Nullable CallerTable callerTable;
    private final @Nullable SessionTable sessions;
    private final LimitedAdmission admission;
    private final FileWatch watch;
    private volatile @Nullable StoreProbe probe;
    private volatile @Nullable RequestLimits limits;

    /** @throws IllegalArgumentException if a file named in the options cannot be read or parsed */
    public ServerPerimeter(PerimeterOptions options) {
        this.options = options;
        this.tls = options.tls();
        this.callerTable = options.callers();
        this.sessions = callerTable == null ? null : new SessionTable(callerTable);
        this.admission = new LimitedAdmission(options.limits(), metrics, ClientName::of);
        List<Runnable> checks = new ArrayList<>();
        if (tls != null) {
            checks.add(tls.reloaded()::look);
        }
        if (callerTable != null) {
            checks.add(callerTable::look);
        }
        this.watch = new FileWatch(checks);
    }

    /** The listener to set on the leases that the server serves; it feeds the metrics. */
    public LeaseListener listener() {
        return metrics.listener();
    }

    /** The sessions of dashboards; null if the server does not authenticate its callers. */
    public @Nullable SessionTable sessions() {
        return sessions;
    }

    /** The state of the server that this perimeter is around. */
    public ServerVitals vitals() {
        return new ServerVitals() {
            @Override
            public Optional<String> notReady() {
                StoreProbe started = probe;
                return started == null ? Optional.of("the server has not started yet") : started.notReady();
            }

            @Override
            public int connections() {
                RequestLimits counted = limits;
                return counted == null ? 0 : counted.connections();
            }

            @Override
            public int sessions() {
                return admission.sessions();
            }
        };
    }

    /**
     * Adds everything to a server that listens on {@code listen}.
     *
     * @throws IllegalArgumentException if other hosts could reach the server without authentication
     */
    public HoldfastServer.Builder around(HoldfastServer.Builder server, InetSocketAddress listen) {
        options.requireMayListenOn(listen);
        RequestLimits requestLimits = new RequestLimits(options.limits(), metrics);
        limits = requestLimits;
        metrics.gauge("holdfast.connections", "Open connections", requestLimits::connections);
        metrics.gauge("holdfast.requests.active", "Running requests", requestLimits::requests);
        metrics.gauge("holdfast.request.bytes", "Bytes of requests in memory", requestLimits::bodyBytes);
        metrics.gauge("holdfast.waiting", "Waiting acquires", admission::waiting);
        metrics.gauge("holdfast.watching", "Open watches", admission::watching);
        metrics.gauge("holdfast.sessions", "Open sessions", admission::sessions);
        if (tls != null) {
            server.encrypted();
        }
        if (callerTable != null) {
            tokenGauges(callerTable);
            server.guard(AccessGuard.BY_CALLER);
            if (sessions != null) {
                metrics.gauge("holdfast.dashboards", "Open log-ins of dashboards", sessions::size);
            }
            if (tls == null && !listen.getAddress().isLoopbackAddress()) {
                log.warn("tokens travel as plain text to {}: use --tls-cert, or a proxy that terminates TLS", listen);
            }
        }
        List<ServerProtocol> protocols =
                ServiceLoader.load(ServerProtocol.class, ServerPerimeter.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        protocols.forEach(server::with);
        return server.listen(listen)
                .allowedHosts(options.allowedHosts())
                .admission(admission)
                .gate(requestLimits)
                .with((to, leases) -> extend(to, leases, requestLimits, protocols));
    }

    /** Each decorator wraps the previous ones. So rejected requests are counted, but do not take up the shares of others. */
    private void extend(
            ServerBuilder server, ServedLeases leases, RequestLimits requestLimits, List<ServerProtocol> protocols) {
        probe = HealthServices.add(server, leases, protocols);
        requestLimits.limitRequests(server);
        if (tls != null) {
            tls.extend(server);
        }
        if (callerTable != null && sessions != null) {
            new CallerAuthentication(callerTable, sessions).extend(server);
        }
        requestLimits.limitConnections(server);
        metrics.extend(server, leases);
    }

    private void tokenGauges(CallerTable known) {
        if (known.hasTokens()) {
            metrics.gauge("holdfast.tokens", "Lines of the token file that admit a caller", known::tokensInForce);
            metrics.gauge(
                    "holdfast.tokens.broken", "Lines of the token file that cannot be parsed", known::brokenLines);
            metrics.gauge(
                    "holdfast.tokens.unreadable",
                    "1 if the token file exists and cannot be read",
                    () -> known.isUnreadable() ? 1 : 0);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
