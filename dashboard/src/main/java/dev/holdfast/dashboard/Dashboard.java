package dev.holdfast.dashboard;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.LeaseListener;
import dev.holdfast.dashboard.activity.ActivityRecorder;
import dev.holdfast.dashboard.live.LiveViews;
import dev.holdfast.dashboard.view.ViewRequest;
import dev.holdfast.dashboard.view.ViewSources;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.extension.ServerExtension;
import dev.holdfast.server.http.JsonResponses;
import dev.holdfast.server.security.HostGate;
import dev.holdfast.server.wire.RequestPaths;
import io.grpc.Status;

/**
 * The dashboard of a server: static files under {@code /ui/}, and their data under {@code /ui/api/}.
 *
 * <p>Every request for data has a header that pages of other sites cannot send, and every change has an {@code Origin} that is
 * exactly this server's. Permissions are those of the caller, checked by the guard of the server.
 */
public final class Dashboard implements ServerExtension {
    /** Browsers ask the server before they send a header like this to another site, and the server does not allow it. */
    private static final String HEADER = "x-holdfast-dashboard";

    private static final String ACTIONS = RequestPaths.DASHBOARD_API + "actions";

    private static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
                    + " data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final DashboardOptions options;
    private final ActivityRecorder recorder = new ActivityRecorder();

    public Dashboard(DashboardOptions options) {
        this.options = options;
    }

    /** The listener to set on the leases that the server serves; it records what the overview shows. */
    public LeaseListener listener() {
        return recorder;
    }

    /** Adds the services. Added after the perimeter, so that rejected requests have the headers of the dashboard, too. */
    @Override
    public void extend(ServerBuilder server, ServedLeases served) {
        recorder.observe(served.service());
        ViewSources sources = new ViewSources(served, recorder, options.vitals());
        LiveViews<ViewRequest> views = new LiveViews<>(served, sources::of);
        server.service(RequestPaths.DASHBOARD_SESSION, guarded(new SessionService(options, served)))
                .service(RequestPaths.DASHBOARD_LIVE, guarded(new LiveService(served, views)))
                .service(ACTIONS, guarded(new ActionService(served, views::refresh)))
                .serviceUnder(
                        RequestPaths.DASHBOARD_API,
                        guarded((ctx, request) -> JsonResponses.notFound("path: " + ctx.path() + " (expected: "
                                + RequestPaths.DASHBOARD_SESSION + ", " + RequestPaths.DASHBOARD_LIVE + " or " + ACTIONS
                                + ")")))
                .serviceUnder(RequestPaths.DASHBOARD, new StaticFiles())
                .service("/", (ctx, request) -> StaticFiles.redirect())
                .service("/ui", (ctx, request) -> StaticFiles.redirect())
                .decoratorUnder(RequestPaths.DASHBOARD, Dashboard::withHeaders);
    }

    private static HttpResponse withHeaders(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        ctx.mutateAdditionalResponseHeaders(headers -> {
            headers.set("content-security-policy", CONTENT_POLICY)
                    .set("x-content-type-options", "nosniff")
                    .set("referrer-policy", "no-referrer");
            if (RequestPaths.isDashboardApi(ctx.path())) {
                headers.set("cache-control", "no-store");
            }
        });
        return service.serve(ctx, request);
    }

    private static HttpService guarded(HttpService service) {
        return (ctx, request) -> {
            if (!request.headers().get(HEADER, "").equals("1")) {
                return forbidden("header: X-Holdfast-Dashboard is missing (expected: 1)");
            }
            boolean isRead = request.method() == HttpMethod.GET;
            if (!isRead && !HostGate.isOwnOrigin(ctx)) {
                return forbidden("origin: missing, or of another site (expected: the address of this server)");
            }
            try {
                return service.serve(ctx, request);
            } catch (RuntimeException e) {
                return JsonResponses.failed(e);
            }
        };
    }

    private static HttpResponse forbidden(String message) {
        return JsonResponses.failed(
                Status.PERMISSION_DENIED.withDescription(message).asRuntimeException());
    }
}
