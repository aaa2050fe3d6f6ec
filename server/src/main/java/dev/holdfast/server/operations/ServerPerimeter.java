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
 * All that is around the services of a server in production: who is let in, TLS, limits, metrics, health, and accord's
 * wire. For one server; closed after it.
 */
public final class ServerPerimeter implements AutoCloseable {
    /** The requests whose bodies have no end by design. */
    private static final Set<String> ENDLESS = Set.of("/holdfast.v1.Leases/Session", "/holdfast.v1.Leases/Calls");

    private static final Logger log = LoggerFactory.getLogger(ServerPerimeter.class);

    private final PerimeterOptions options;
    private final ServerMetrics metrics = new ServerMetrics();
    private final @Nullable ServerTls tls;
    private final @Nullable CallerTable callerTable;
    private final LimitedAdmission admission;
    private final FileWatch watch;

    /** @throws IllegalArgumentException if a file of the options cannot be read or understood */
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

    /** To be given to the leases that the server serves, so that what happens to them is counted. */
    public LeaseListener listener() {
        return metrics.listener();
    }

    /**
     * Puts this around a server that listens at {@code listen}.
     *
     * @throws IllegalArgumentException if others could reach a server there that lets everybody in
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
        metrics.gauge("holdfast.connections", "Connections that are open", limits::connections);
        metrics.gauge("holdfast.requests.active", "Requests under way", limits::requests);
        metrics.gauge("holdfast.request.bytes", "Bytes of requests in memory", limits::bodyBytes);
        metrics.gauge("holdfast.waiting", "Acquires that wait", admission::waiting);
        metrics.gauge("holdfast.watching", "Watches that are open", admission::watching);
        metrics.gauge("holdfast.sessions", "Sessions that are open", admission::sessions);
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
                log.warn("tokens travel as plain text to {}: use --tls-cert, or something before it that does", listen);
            }
        }
        // Each goes around those before it. So rejected requests are counted, but do not take the places of others.
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
