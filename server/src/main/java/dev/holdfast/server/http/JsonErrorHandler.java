package dev.holdfast.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.SplitHttpResponse;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.wire.ProblemJsonBody;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.Futures;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The handler that renders errors outside of our services as JSON: bad requests, unknown paths, disallowed methods and
 * sizes.
 */
public final class JsonErrorHandler implements ServerErrorHandler {
    private static final String HEALTH = "/health/";

    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext ctx, Throwable error) {
        Throwable cause = Futures.cause(error);
        if (cause instanceof HttpStatusException known) {
            return rendered(ctx, known.httpStatus());
        } else if (cause instanceof HttpResponseException || WireErrors.isOrdinaryEnd(cause)) {
            return HttpResponse.ofFailure(cause);
        } else if (cause instanceof ContentTooLargeException) {
            return rendered(ctx, HttpStatus.REQUEST_ENTITY_TOO_LARGE);
        } else if (cause instanceof RequestTimeoutException) {
            return rendered(ctx, HttpStatus.SERVICE_UNAVAILABLE);
        }
        return JsonResponses.failed(cause);
    }

    private static HttpResponse rendered(ServiceRequestContext ctx, HttpStatus status) {
        return json(status, ctx.request().path(), null).toHttpResponse();
    }

    @Override
    public @Nullable AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext ctx,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        return json(status, headers == null ? "" : headers.path(), null);
    }

    /** Turns error responses of other services, which are text, into JSON. */
    public static HttpResponse serve(HttpService service, ServiceRequestContext ctx, HttpRequest request)
            throws Exception {
        HttpResponse response = service.serve(ctx, request);
        boolean isGrpc = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "").startsWith("application/grpc");
        // Responses of our services are JSON already, and gRPC errors are trailers.
        boolean isOurs = ctx.path().startsWith(RequestPaths.HTTP) || ctx.path().startsWith(RequestPaths.DASHBOARD);
        return isOurs || isGrpc ? response : asJson(ctx, response);
    }

    private static HttpResponse asJson(ServiceRequestContext ctx, HttpResponse response) {
        SplitHttpResponse split = response.split();
        return HttpResponse.of(split.headers().thenApply(headers -> {
            boolean isText =
                    headers.contentType() == null || headers.contentType().is(MediaType.ANY_TEXT_TYPE);
            if (!headers.status().isError() || !isText) {
                return HttpResponse.of(headers, split.body());
            }
            split.body().abort();
            return json(headers.status(), ctx.path(), headers.get(HttpHeaderNames.ALLOW))
                    .toHttpResponse();
        }));
    }

    private static AggregatedHttpResponse json(HttpStatus status, String path, @Nullable String allowed) {
        if (status.isContentAlwaysEmpty()) {
            return AggregatedHttpResponse.of(ResponseHeaders.of(status));
        }
        ResponseHeadersBuilder headers = ResponseHeaders.builder(status).contentType(ProblemJsonBody.MEDIA_TYPE);
        if (status.equals(HttpStatus.METHOD_NOT_ALLOWED)) {
            headers.set(
                    HttpHeaderNames.ALLOW, allowed != null ? allowed : path.startsWith(HEALTH) ? "GET, HEAD" : "POST");
        }
        return AggregatedHttpResponse.of(headers.build(), ProblemJsonBody.data(status, problem(status)));
    }

    private static ObjectNode problem(HttpStatus status) {
        return switch (status.code()) {
            case 400 -> ProblemJsonBody.of("bad_request", "the request is malformed");
            case 404 -> ProblemJsonBody.of("not_found", "unknown path; GET /v1/openapi.json lists all paths");
            case 405 -> ProblemJsonBody.of("method_not_allowed", "the path does not support this method");
            case 413 -> ProblemJsonBody.of("body_too_large", "the body is too large");
            case 414 -> ProblemJsonBody.of("path_too_long", "the path is too long");
            case 415 -> ProblemJsonBody.of("unsupported_media_type", "gRPC needs the content type application/grpc");
            case 431 -> ProblemJsonBody.of("headers_too_large", "the headers are too large");
            case 503 ->
                ProblemJsonBody.of("unavailable", "the request did not arrive in time, or the server is shutting down");
            default ->
                ProblemJsonBody.of(
                        status.isClientError() ? "bad_request" : "failed",
                        status.reasonPhrase().toLowerCase(Locale.ROOT));
        };
    }
}
