package dev.holdfast.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.http.JsonResponses;
import dev.holdfast.server.wire.WireErrors;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.Futures;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** The bodies of requests. */
final class RequestJson {
    /** The largest body: room for the names of a few thousand units. */
    private static final int MOST_BYTES = 256 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private RequestJson() {}

    /** Responds with the result of {@code action} for the body, once it has arrived. */
    static HttpResponse read(ServiceRequestContext ctx, HttpRequest request, Function<JsonNode, HttpResponse> action) {
        ctx.setMaxRequestLength(MOST_BYTES);
        CompletableFuture<HttpResponse> response = new CompletableFuture<>();
        Futures.whenDone(request.aggregate(), (body, error) -> {
            if (body != null) {
                response.complete(orFailure(() -> action.apply(parse(body.contentUtf8()))));
                return;
            }
            Throwable cause = WireErrors.cause(error);
            if (cause instanceof StatusRuntimeException) {
                response.complete(JsonResponses.failed(cause));
            } else {
                response.completeExceptionally(cause); // Too large or too slow, or the client is gone.
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

    private static JsonNode parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (json != null && json.isObject()) {
                return json;
            }
        } catch (JsonProcessingException e) {
            // Rejected below.
        }
        throw ArgumentCheck.bad("body", text.length() + " characters", "a JSON object");
    }
}
