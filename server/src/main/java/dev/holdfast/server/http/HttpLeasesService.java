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
import dev.holdfast.server.AnchorNameOwners;
import dev.holdfast.server.ServerComponents;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The HTTP service under {@code /v1/}. It routes requests itself, by the path as it was sent. A name may contain
 * encoded slashes, and a router that decodes the path first would split the name at them.
 */
public final class HttpLeasesService implements HttpService {
    private static final byte[] OPEN_API = resource("openapi.json");

    private final HttpLeaseActions leases;
    private final HttpKeyActions keys;
    private final ServerComponents parts;

    public HttpLeasesService(ServerComponents parts) {
        this.parts = parts;
        AnchorNameOwners anchors = new AnchorNameOwners(parts);
        this.leases = new HttpLeaseActions(parts, anchors);
        this.keys = new HttpKeyActions(parts, anchors);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
        return orFailure(() -> route(ctx, request));
    }

    private HttpResponse route(ServiceRequestContext ctx, HttpRequest request) {
        HttpPath path = HttpPath.parse(ctx.routingContext().requestTarget().maybePathWithMatrixVariables());
        boolean posts = request.method() == HttpMethod.POST;
        boolean gets = request.method() == HttpMethod.GET;
        String kind = path.length() > 1 ? path.part(1) : "";
        if (kind.equals("leases") && path.length() == 4) {
            return posts ? act(ctx, request, path.part(2), path.part(3)) : JsonResponses.notAllowed("POST");
        } else if (kind.equals("leases") && path.length() == 3) {
            return gets ? keys.get(ctx, path.part(2), query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("leases") && path.length() == 2) {
            return gets ? keys.list(ctx, query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("cleanup") && path.length() == 2) {
            return posts ? withBody(request, body -> keys.cleanUp(ctx, body)) : JsonResponses.notAllowed("POST");
        } else if (kind.equals("watch") && path.length() == 2) {
            return gets ? HttpWatchEvents.begin(ctx, parts, query(ctx)) : JsonResponses.notAllowed("GET");
        } else if (kind.equals("openapi.json") && path.length() == 2) {
            return gets
                    ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, HttpData.wrap(OPEN_API))
                    : JsonResponses.notAllowed("GET");
        }
        return JsonResponses.notFound(
                "path: " + ctx.path() + " (expected: one of /v1/openapi.json, with slashes in names encoded as %2F)");
    }

    private HttpResponse act(ServiceRequestContext ctx, HttpRequest request, String name, String action) {
        return switch (action) {
            case "acquire" -> withBody(request, body -> leases.acquire(ctx, name, body));
            case "renew" -> withBody(request, body -> leases.renew(ctx, name, body));
            case "release" -> withBody(request, body -> leases.release(ctx, name, body));
            case "done" -> withBody(request, body -> leases.done(ctx, name, body));
            case "update" -> withBody(request, body -> leases.update(ctx, name, body));
            case "reopen" -> withBody(request, body -> keys.reopen(ctx, name, body));
            case "delete" -> withBody(request, body -> keys.delete(ctx, name, body));
            case "evict" -> withBody(request, body -> keys.evict(ctx, name, body));
            default ->
                JsonResponses.notFound("action: " + action
                        + " (expected: acquire, renew, release, done, update, reopen, delete or evict)");
        };
    }

    private static QueryParams query(ServiceRequestContext ctx) {
        return ctx.query() == null ? QueryParams.of() : QueryParams.fromQueryString(ctx.query());
    }

    private static HttpResponse withBody(HttpRequest request, BodyAction action) {
        CompletableFuture<HttpResponse> response = new CompletableFuture<>();
        Futures.whenDone(request.aggregate(), (body, error) -> {
            if (body == null) {
                // The body was too large or too slow, or the client is gone: the server handles each case.
                Throwable cause = Futures.cause(WireErrors.present(error));
                if (cause instanceof StatusRuntimeException) {
                    response.complete(JsonResponses.failed(cause));
                } else {
                    response.completeExceptionally(cause);
                }
            } else {
                response.complete(orFailure(() -> action.act(body.content().array())));
            }
        });
        return HttpResponse.of(response);
    }

    /** The action for the body of a request. */
    private interface BodyAction {
        HttpResponse act(byte[] body);
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
