package dev.holdfast.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.proto.v1.Done;
import dev.holdfast.proto.v1.Held;
import dev.holdfast.proto.v1.LeaseLost;
import dev.holdfast.proto.v1.StoreTrouble;
import dev.holdfast.server.wire.ProblemJsonBody;
import dev.holdfast.server.wire.RequestContinuation;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.wire.TimeMessages;
import io.grpc.Status.Code;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** HTTP responses as JSON, with a matching status and, where a retry makes sense, the delay before it. */
public final class JsonResponses {
    private JsonResponses() {}

    static HttpResponse json(HttpStatus status, JsonNode body) {
        return json(status, body, null);
    }

    public static HttpResponse ok(JsonNode body) {
        return json(HttpStatus.OK, body, null);
    }

    /** The response to a call, once it has a result or an error. */
    public static <T> HttpResponse of(
            ServiceRequestContext ctx, CompletionStage<T> call, Function<T, HttpResponse> response) {
        CompletableFuture<HttpResponse> responded = new CompletableFuture<>();
        RequestContinuation.whenDone(
                ctx,
                call,
                (value, error) ->
                        responded.complete(value == null ? failed(WireErrors.cause(error)) : response.apply(value)));
        return HttpResponse.of(responded);
    }

    private static HttpResponse json(HttpStatus status, JsonNode body, @Nullable Duration retryAfter) {
        boolean isError = status.isError() && body instanceof ObjectNode;
        ResponseHeadersBuilder headers = ResponseHeaders.builder(status)
                .contentType(isError ? ProblemJsonBody.MEDIA_TYPE : MediaType.JSON_UTF_8)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        if (retryAfter != null) {
            headers.set(
                    HttpHeaderNames.RETRY_AFTER,
                    Long.toString(Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds())));
        }
        HttpData data = isError ? ProblemJsonBody.data(status, (ObjectNode) body) : HttpData.wrap(bytes(body));
        return HttpResponse.of(headers.build(), data);
    }

    public static byte[] bytes(JsonNode body) {
        try {
            return (JsonRequest.JSON.writeValueAsString(body) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree cannot be serialized", e);
        }
    }

    /** 409: another holder has the key. */
    static HttpResponse held(Held held) {
        Duration remaining = TimeMessages.duration("remaining", held.getRemaining());
        ObjectNode body = error("held", "held by " + held.getHolder())
                .put("holder", held.getHolder())
                .put("fence", held.getFence())
                .put("remaining", JsonStatus.seconds(remaining))
                .put("retryAfter", JsonStatus.seconds(remaining));
        return json(HttpStatus.CONFLICT, body, remaining);
    }

    /** 410: the key is done. */
    static HttpResponse done(Done done) {
        return json(
                HttpStatus.GONE,
                error("done", "the key is done; it is not granted again until it is reopened")
                        .put("doneAt", JsonStatus.time(done.getDoneAt())));
    }

    public static HttpResponse notFound(String message) {
        return json(HttpStatus.NOT_FOUND, error("not_found", message));
    }

    static ObjectNode error(String kind, String message) {
        return ProblemJsonBody.of(kind, message);
    }

    public static HttpResponse notAllowed(String allowed) {
        ResponseHeaders headers = ResponseHeaders.builder(HttpStatus.METHOD_NOT_ALLOWED)
                .contentType(ProblemJsonBody.MEDIA_TYPE)
                .set(HttpHeaderNames.ALLOW, allowed)
                .build();
        return HttpResponse.of(
                headers,
                ProblemJsonBody.data(headers.status(), error("method_not_allowed", "(expected: " + allowed + ")")));
    }

    /** The response to a request that failed. */
    public static HttpResponse failed(Throwable error) {
        Status status = WireErrors.status(error);
        Code code = io.grpc.Status.fromCodeValue(status.getCode()).getCode();
        return switch (code) {
            case INVALID_ARGUMENT -> badRequest(status);
            case ABORTED -> lost(status);
            case UNAVAILABLE -> trouble(HttpStatus.SERVICE_UNAVAILABLE, "unavailable", status);
            case RESOURCE_EXHAUSTED -> exhausted(status);
            case UNAUTHENTICATED -> json(HttpStatus.UNAUTHORIZED, error("unauthenticated", status.getMessage()));
            case PERMISSION_DENIED -> json(HttpStatus.FORBIDDEN, error("forbidden", status.getMessage()));
            case UNIMPLEMENTED -> json(HttpStatus.NOT_IMPLEMENTED, error("not_implemented", status.getMessage()));
            case CANCELLED -> json(HttpStatus.valueOf(499), error("cancelled", status.getMessage()));
            default -> trouble(HttpStatus.INTERNAL_SERVER_ERROR, "failed", status);
        };
    }

    private static HttpResponse badRequest(Status status) {
        ObjectNode body = error("bad_request", status.getMessage());
        detail(status, BadRequest.class)
                .ifPresent(bad -> body.put("field", bad.getFieldViolations(0).getField()));
        return json(HttpStatus.BAD_REQUEST, body);
    }

    private static HttpResponse lost(Status status) {
        ObjectNode body = error("lost", status.getMessage());
        detail(status, LeaseLost.class).ifPresent(lost -> body.put("reason", JsonStatus.reason(lost)));
        return json(HttpStatus.CONFLICT, body);
    }

    private static HttpResponse exhausted(Status status) {
        Duration pause = detail(status, RetryInfo.class)
                .map(retry -> TimeMessages.duration("retryDelay", retry.getRetryDelay()))
                .orElse(Duration.ofSeconds(1));
        ObjectNode body = error("exhausted", status.getMessage()).put("retryAfter", JsonStatus.seconds(pause));
        return json(HttpStatus.TOO_MANY_REQUESTS, body, pause);
    }

    private static HttpResponse trouble(HttpStatus http, String kind, Status status) {
        ObjectNode body = error(kind, status.getMessage());
        boolean mayBeApplied = detail(status, StoreTrouble.class)
                .map(trouble -> trouble.getEffect() == StoreTrouble.Effect.EFFECT_MAY_BE_APPLIED)
                .orElse(false);
        body.put("mayBeApplied", mayBeApplied);
        return json(http, body, http.equals(HttpStatus.SERVICE_UNAVAILABLE) ? Duration.ofSeconds(1) : null);
    }

    private static <T extends Message> Optional<T> detail(Status status, Class<T> type) {
        for (Any any : status.getDetailsList()) {
            if (any.is(type)) {
                try {
                    return Optional.of(any.unpack(type));
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }
}
