package dev.holdfast.server.operations;

import dev.holdfast.LeaseListener;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.accord.AccordWire;
import dev.holdfast.server.limits.LimitedAdmission;
import dev.holdfast.server.limits.RequestLimits;
import dev.holdfast.server.limits.RequestPaths;
import dev.holdfast.server.security.CallerAuthentication;
import dev.holdfast.server.security.CallerTable;
import dev.holdfast.server.security.ClientName;
import dev.holdfast.server.security.ListenPolicy;
import dev.holdfast.server.security.PermissionGuard;
import dev.holdfast.server.security.ServerTls;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything around the services of a production server: authentication, TLS, limits, metrics, health, and accord's
 * protocol. Belongs to one server; closed after it.
 */
public final class ServerPerimeter implements AutoCloseable {
    /** The requests with bodies that have no end by design. */
    private static final Set<String> ENDLESS = Set.of("/holdfast.v1.Leases/Session", "/holdfast.v1.Leases/Calls");

    private static final Logger log = LoggerFactory.getLogger(ServerPerimeter.class);

    private final PerimeterOptions options;
    private final ServerMetrics metrics = new ServerMetrics();
    private final @Nullable ServerTls tls;
    private final @Nullable CallerTable callerTable;
    private final LimitedAdmission admission;
    private final FileWatch watch;

    /** @throws IllegalArgumentException if a file named in the options cannot be read or parsed */
    public ServerPerimeter(PerimeterOptions options) {
        this.options = options;
        this.tls = options.tls();
        this.callerTable = options.callers();
        this.admission = new LimitedAdmission(options.limits(), metrics, ClientName::of);
        List<ReloadableValue> files = new ArrayList<>();
        if (tls != null) {
            files.add(tls.reloaded());
        }
        if (callerTable != null) {
            files.addAll(callerTable.reloaded());
        }
        this.watch = new FileWatch(files);
    }

    /** The listener to set on the leases that the server serves; it feeds the metrics. */
    public LeaseListener listener() {
        return metrics.listener();
    }

    /**
     * Adds everything to a server that listens on {@code listen}.
     *
     * @throws IllegalArgumentException if other hosts could reach the server without authentication
     */
    public HoldfastServer.Builder around(HoldfastServer.Builder server, InetSocketAddress listen) {
        ListenPolicy.check(listen, callerTable != null, options.isInsecure());
        RequestLimits limits = new RequestLimits(
                options.limits(),
                metrics,
                new RequestPaths(
                        ENDLESS::contains,
                        path -> HealthServices.isProbe(path) || ServerMetrics.isPath(path),
                        HealthServices::isPath),
                ClientName::of);
        metrics.gauge("holdfast.connections", "Open connections", limits::connections);
        metrics.gauge("holdfast.requests.active", "Running requests", limits::requests);
        metrics.gauge("holdfast.request.bytes", "Bytes of requests in memory", limits::bodyBytes);
        metrics.gauge("holdfast.waiting", "Waiting acquires", admission::waiting);
        metrics.gauge("holdfast.watching", "Open watches", admission::watching);
        metrics.gauge("holdfast.sessions", "Open sessions", admission::sessions);
        server.listen(listen)
                .allowedHosts(options.allowedHosts())
                .admission(admission)
                .turnstile(new CountedGate(limits, metrics))
                .with(new AccordWire())
                .with(new HealthServices())
                .with(limits.inner());
        if (tls != null) {
            server.encrypted().with(tls);
        }
        if (callerTable != null) {
            tokenGauges(callerTable);
            server.guard(new PermissionGuard()).with(new CallerAuthentication(callerTable, HealthServices::isPath));
            if (tls == null && !listen.getAddress().isLoopbackAddress()) {
                log.warn("tokens travel as plain text to {}: use --tls-cert, or a proxy that terminates TLS", listen);
            }
        }
        // Each extension wraps the previous ones. So rejected requests are counted, but do not take up the shares of
        // others.
        server.with(limits.outer()).with(metrics);
        return server;
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
