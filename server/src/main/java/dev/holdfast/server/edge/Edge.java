package dev.holdfast.server.edge;

import dev.holdfast.LeaseListener;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.accord.AccordWire;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Callers;
import dev.holdfast.server.auth.ClientName;
import dev.holdfast.server.auth.ListenPolicy;
import dev.holdfast.server.auth.PermissionGuard;
import dev.holdfast.server.health.Health;
import dev.holdfast.server.limit.LimitedAdmission;
import dev.holdfast.server.limit.RequestLimits;
import dev.holdfast.server.limit.RequestPaths;
import dev.holdfast.server.metrics.ServerMetrics;
import dev.holdfast.server.reload.FileWatch;
import dev.holdfast.server.reload.Reloadable;
import dev.holdfast.server.tls.ServerTls;
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
public final class Edge implements AutoCloseable {
    /** The requests whose bodies have no end by design. */
    private static final Set<String> ENDLESS = Set.of("/holdfast.v1.Leases/Session", "/holdfast.v1.Leases/Calls");

    private static final Logger log = LoggerFactory.getLogger(Edge.class);

    private final EdgeOptions options;
    private final ServerMetrics metrics = new ServerMetrics();
    private final @Nullable ServerTls tls;
    private final @Nullable Callers callers;
    private final LimitedAdmission admission;
    private final FileWatch watch;

    /** @throws IllegalArgumentException if a file of the options cannot be read or understood */
    public Edge(EdgeOptions options) {
        this.options = options;
        this.tls = options.tls();
        this.callers = options.callers();
        this.admission = new LimitedAdmission(options.limits(), metrics, ClientName::of);
        List<Reloadable> files = new ArrayList<>();
        if (tls != null) {
            files.add(tls.reloaded());
        }
        if (callers != null) {
            files.addAll(callers.reloaded());
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
        ListenPolicy.check(listen, callers != null, options.isInsecure());
        RequestLimits limits = new RequestLimits(
                options.limits(),
                metrics,
                new RequestPaths(
                        ENDLESS::contains, path -> Health.isProbe(path) || ServerMetrics.isPath(path), Health::isPath),
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
                .turnstile(new CountedTurnstile(limits, metrics))
                .with(new AccordWire())
                .with(new Health())
                .with(limits.inner());
        if (tls != null) {
            server.encrypted().with(tls);
        }
        if (callers != null) {
            tokenGauges(callers);
            server.guard(new PermissionGuard()).with(new Authentication(callers, Health::isPath));
            if (tls == null && !listen.getAddress().isLoopbackAddress()) {
                log.warn("tokens travel as plain text to {}: use --tls-cert, or something before it that does", listen);
            }
        }
        // Each goes around those before it. So rejected requests are counted, but do not take the places of others.
        server.with(limits.outer()).with(metrics);
        return server;
    }

    private void tokenGauges(Callers known) {
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
