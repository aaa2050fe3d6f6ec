package dev.holdfast.server.wire;

import com.google.rpc.Status;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.grpc.Status.Code;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Responses of decorators that reject a request before it reaches a service. They use the protocol of the request, gRPC
 * or HTTP/JSON.
 */
public final class RefusedResponses {
    private static final String GRPC = "application/grpc";

    private RefusedResponses() {}

    /** Rejects {@code request} with the name of the code as reason, and without advice to retry. */
    public static HttpResponse of(HttpRequest request, Code code, String message) {
        return of(request, code, code.name(), message, null);
    }

    /** Rejects {@code request} because of a limit. */
    public static HttpResponse exhausted(HttpRequest request, String message, Duration pause) {
        return of(request, Code.RESOURCE_EXHAUSTED, Code.RESOURCE_EXHAUSTED.name(), message, pause);
    }

    /**
     * Rejects {@code request}.
     *
     * @param reason the reason in {@code google.rpc.ErrorInfo}, over gRPC
     * @param message without quotes or line breaks
     * @param pause the delay after which the client may retry; null if retrying does not help
     */
    public static HttpResponse of(
            HttpRequest request, Code code, String reason, String message, @Nullable Duration pause) {
        String contentType = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        return contentType.startsWith(GRPC)
                ? grpc(contentType, WireErrors.refusal(code, reason, message, pause))
                : json(code, message, pause);
    }

    /** A response of headers only, which include the status and its details. gRPC calls this form "Trailers-Only". */
    private static HttpResponse grpc(String contentType, Status status) {
        return HttpResponse.of(ResponseHeaders.builder(HttpStatus.OK)
                .endOfStream(true)
                .add(HttpHeaderNames.CONTENT_TYPE, contentType)
                .add("grpc-status", String.valueOf(status.getCode()))
                .add("grpc-message", escaped(status.getMessage()))
                .add(
                        "grpc-status-details-bin",
                        Base64.getEncoder().withoutPadding().encodeToString(status.toByteArray()))
                .build());
    }

    /** Percent-encodes the message as gRPC requires, so that a header can hold it. */
    private static String escaped(String message) {
        StringBuilder escaped = new StringBuilder();
        for (byte each : message.getBytes(StandardCharsets.UTF_8)) {
            if (each >= ' ' && each <= '~' && each != '%') {
                escaped.append((char) each);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return escaped.toString();
    }

    private static HttpResponse json(Code code, String message, @Nullable Duration pause) {
        HttpStatus status = switch (code) {
            case UNAUTHENTICATED -> HttpStatus.UNAUTHORIZED;
            case PERMISSION_DENIED -> HttpStatus.FORBIDDEN;
            case RESOURCE_EXHAUSTED -> HttpStatus.TOO_MANY_REQUESTS;
            default -> HttpStatus.PRECONDITION_FAILED;
        };
        ResponseHeadersBuilder headers = ResponseHeaders.builder(status).contentType(ProblemJsonBody.MEDIA_TYPE);
        if (status.equals(HttpStatus.UNAUTHORIZED)) {
            headers.add(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (pause != null) {
            headers.add(HttpHeaderNames.RETRY_AFTER, String.valueOf(Math.max(1, pause.toSeconds())));
        }
        String kind = switch (code) {
            case RESOURCE_EXHAUSTED -> "exhausted";
            case PERMISSION_DENIED -> "forbidden";
            default -> code.name().toLowerCase(Locale.ROOT);
        };
        return HttpResponse.of(headers.build(), ProblemJsonBody.data(status, ProblemJsonBody.of(kind, message)));
    }
}
