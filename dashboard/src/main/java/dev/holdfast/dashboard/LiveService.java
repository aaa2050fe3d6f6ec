package dev.holdfast.dashboard;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.dashboard.live.LiveViews;
import dev.holdfast.dashboard.view.ViewRequest;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.http.JsonResponses;

/** The streams of live views. A stream ends when its caller gets other permissions; the page then opens a new one. */
final class LiveService implements HttpService {
    private final ServedLeases served;
    private final LiveViews<ViewRequest> views;

    LiveService(ServedLeases served, LiveViews<ViewRequest> views) {
        this.served = served;
        this.views = views;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        if (request.method() != HttpMethod.GET) {
            return JsonResponses.notAllowed("GET");
        }
        QueryParams query = ctx.query() == null ? QueryParams.of() : QueryParams.fromQueryString(ctx.query());
        ViewRequest view = ViewRequest.of(ctx, served.guard(), query);
        return views.stream(
                ctx, view, () -> ViewRequest.of(ctx, served.guard(), query).equals(view));
    }
}
