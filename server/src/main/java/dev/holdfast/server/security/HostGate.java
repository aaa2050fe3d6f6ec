package dev.holdfast.server.security;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.wire.RefusedResponses;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.support.ArgumentCheck;
import io.grpc.Status;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A decorator that rejects requests that a web page of another site makes a browser send. Such a page can point a host
 * name of its own at the address of this server (DNS rebinding). So a server without authentication accepts only
 * requests to known host names. Health checks are exempt, since probes send other names.
 *
 * <p>Browsers send {@code Origin} with every request that changes something. Requests from the origin of another site
 * are rejected with and without authentication, because a browser may add a client certificate by itself.
 */
public final class HostGate {
    private static final String LOCALHOST = "localhost";
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final boolean checksHosts;
    private final Set<String> named = new HashSet<>();
    private final Set<String> known = new HashSet<>();

    /**
     * @param checksHosts whether requests must name a known host
     * @param listen the address of the server
     * @param allowed further names of the server, and of the sites with pages that may call it
     * @throws IllegalArgumentException if one of the names is not a host
     */
    public HostGate(boolean checksHosts, @Nullable InetAddress listen, List<String> allowed) {
        this.checksHosts = checksHosts;
        for (String name : allowed) {
            HostPort host = HostPort.parse(name, 0);
            if (host == null || host.port() != 0) {
                throw ArgumentCheck.bad("allowed-host", name, "the name or address of a host, without a port");
            }
            named.add(host.host());
        }
        known.addAll(named);
        known.add(LOCALHOST);
        if (listen != null) {
            known.add(listen.getHostAddress());
        }
    }

    public void extend(ServerBuilder server) {
        // The HTTP server uses this host for requests that name none; it must not be a known name.
        server.defaultHostname("unnamed.invalid").decorator(this::serve);
    }

    private HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request) throws Exception {
        if (RequestPaths.isHealth(ctx.path())) {
            return service.serve(ctx, request);
        }
        HostPort host = host(request, ctx.sessionProtocol().isTls() ? HTTPS : HTTP);
        if (checksHosts && (host == null || !isKnown(host))) {
            return rejected(
                    request,
                    "host: not a name of this server (expected: localhost, 127.0.0.1, [::1] or one of --allowed-host)");
        }
        return isFromElsewhere(request, host)
                ? rejected(request, "origin: a page of another site (expected: none, or one of --allowed-host)")
                : service.serve(ctx, request);
    }

    private static HttpResponse rejected(HttpRequest request, String message) {
        return RefusedResponses.of(request, Status.Code.PERMISSION_DENIED, message);
    }

    /**
     * The host of a request. Null unless the request names exactly one host: as {@code :authority}, as {@code Host}, or
     * the same in both.
     */
    private static @Nullable HostPort host(HttpRequest request, int defaultPort) {
        String authority = request.headers().get(HttpHeaderNames.AUTHORITY);
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1
                || (hosts.size() == 1 && authority != null && !hosts.get(0).equals(authority))) {
            return null;
        }
        return HostPort.parse(authority != null || hosts.isEmpty() ? authority : hosts.get(0), defaultPort);
    }

    /**
     * Whether a request has exactly one {@code Origin}, which is the site that the request itself is addressed to: the same host and
     * the same port. Pages from other ports of the same host are other sites.
     */
    public static boolean isOwnOrigin(ServiceRequestContext ctx) {
        HttpRequest request = ctx.request();
        List<String> origins = request.headers().getAll(HttpHeaderNames.ORIGIN);
        if (origins.size() != 1) {
            return false;
        }
        String origin = origins.get(0);
        boolean isTls = origin.startsWith("https://");
        if (!isTls && (ctx.sessionProtocol().isTls() || !origin.startsWith("http://"))) {
            return false;
        }
        // A proxy may terminate TLS, so the scheme of the origin decides which port an address without one has.
        int port = isTls ? HTTPS : HTTP;
        HostPort host = host(request, port);
        return host != null && host.equals(HostPort.parse(origin.substring(origin.indexOf("://") + 3), port));
    }

    private boolean isKnown(HostPort host) {
        return known.contains(host.host()) || host.isLoopbackAddress();
    }

    private boolean isFromElsewhere(HttpRequest request, @Nullable HostPort host) {
        List<String> origins = request.headers().getAll(HttpHeaderNames.ORIGIN);
        return !origins.isEmpty() && (origins.size() > 1 || !isAllowed(origins.get(0), host));
    }

    private boolean isAllowed(String origin, @Nullable HostPort host) {
        int end = origin.indexOf("://");
        HostPort site =
                end < 0 ? null : HostPort.parse(origin.substring(end + 3), origin.startsWith("https") ? HTTPS : HTTP);
        return site != null && (site.equals(host) || named.contains(site.host()));
    }

    /**
     * A host with an optional port, in normalized spelling: lower case, without a trailing dot, addresses as Java prints
     * them.
     *
     * @param port the default of the scheme if the text had none
     */
    private record HostPort(String host, int port) {
        private static final Pattern FORM =
                Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.]+)\\]|(?<name>[A-Za-z0-9_.~-]+))(?::(?<port>[0-9]{1,5}))?");

        /** Parses a host with an optional port, without resolving names. Null if {@code text} is neither. */
        static @Nullable HostPort parse(@Nullable String text, int defaultPort) {
            Matcher form = text == null ? null : FORM.matcher(text);
            if (form == null || !form.matches()) {
                return null;
            }
            String host = form.group("v6") != null ? address(form.group("v6")) : name(form.group("name"));
            String port = form.group("port");
            return host == null ? null : new HostPort(host, port == null ? defaultPort : Integer.parseInt(port));
        }

        private static @Nullable String name(String text) {
            String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
            return name.isEmpty() ? null : name.toLowerCase(Locale.ROOT);
        }

        private static @Nullable String address(String text) {
            InetAddress address = literal(text);
            return address == null ? null : address.getHostAddress();
        }

        /** Whether this is a loopback address, which no name server can point elsewhere. */
        boolean isLoopbackAddress() {
            InetAddress address = literal(host);
            return address != null && address.isLoopbackAddress();
        }

        private static @Nullable InetAddress literal(String text) {
            byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
            try {
                return bytes == null ? null : InetAddress.getByAddress(bytes);
            } catch (UnknownHostException e) {
                return null; // No address has this length.
            }
        }
    }
}
