package dev.holdfast.server.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.calls.KeyOperations;
import dev.holdfast.server.calls.LeaseOperations;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The HTTP service under {@code /v1/}. It routes requests itself, by the path as it was sent. A name may contain
 * encoded slashes, and a router that decodes the path first would split the name at them.
 */
public final class HttpLeasesService implements HttpService {
    private static final byte[] OPEN_API = resource("openapi.json");

    private final KeyOperations keys;
    private final HttpQueries queries;
    private final HttpActions actions;

    public HttpLeasesService(ServedLeases served, LeaseOperations leases, KeyOperations keys) {
        this.keys = keys;
        this.queries = new HttpQueries(keys);
        this.actions = new HttpActions(served, leases, keys);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        return orFailure(() -> route(ctx, request));
    }

    private HttpResponse route(ServiceRequestContext ctx, HttpRequest request) {
        List<String> path = HttpPath.parse(HttpPath.sent(ctx)).parts();
        boolean posts = request.method() == HttpMethod.POST;
        boolean gets = request.method() == HttpMethod.GET;
        String kind = path.size() > 1 ? path.get(1) : "";
        if (kind.equals("leases") && path.size() == 4 && path.get(3).equals(HttpPath.WHY)) {
            return gets ? queries.explain(ctx, path.get(2), query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("leases") && path.size() == 4) {
            return posts ? act(ctx, request, path.get(2), path.get(3)) : JsonResponses.notAllowed("POST");
        } else if (kind.equals("leases") && path.size() == 3) {
            return gets ? queries.get(ctx, path.get(2), query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("leases") && path.size() == 2) {
            return gets ? queries.list(ctx, query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("cleanup") && path.size() == 2) {
            return posts ? withBody(ctx, request, "", actions::cleanUp) : JsonResponses.notAllowed("POST");
        } else if (kind.equals("watch") && path.size() == 2) {
            return gets ? HttpWatchEvents.begin(ctx, keys, query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("openapi.json") && path.size() == 2) {
            return gets
                    ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, HttpData.wrap(OPEN_API))
                    : JsonResponses.notAllowed("GET");
        }
        return JsonResponses.notFound(
                "path: " + ctx.path() + " (expected: one of /v1/openapi.json, with slashes in names encoded as %2F)");
    }

    private HttpResponse act(ServiceRequestContext ctx, HttpRequest request, String name, String action) {
        HttpActions.BodyAction known = actions.named(action);
        return known != null
                ? withBody(ctx, request, name, known)
                : JsonResponses.notFound("action: " + action
                        + " (expected: acquire, renew, release, done, update, reopen, delete or evict)");
    }

    private static QueryParams query(ServiceRequestContext ctx) {
        return ctx.query() == null ? QueryParams.of() : QueryParams.fromQueryString(ctx.query());
    }

    private static HttpResponse withBody(
            ServiceRequestContext ctx, HttpRequest request, String name, HttpActions.BodyAction action) {
        CompletableFuture<HttpResponse> response = new CompletableFuture<>();
        Futures.whenDone(request.aggregate(), (body, error) -> {
            if (body == null) {
                // The body was too large or too slow, or the client is gone: the server handles each case.
                Throwable cause = WireErrors.cause(error);
                if (cause instanceof StatusRuntimeException) {
                    response.complete(JsonResponses.failed(cause));
                } else {
                    response.completeExceptionally(cause);
                }
            } else {
                response.complete(
                        orFailure(() -> action.act(ctx, name, body.content().array())));
            }
        });
        return HttpResponse.of(response);
    }

    private static HttpResponse orFailure(Supplier<HttpResponse> response) {
        try {
            return response.get();
        } catch (RuntimeException e) {
            return JsonResponses.failed(e);
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = HttpLeasesService.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
