package dev.holdfast.server.auth;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.holdfast.server.wire.ErrorBody;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An answer from before any service was reached, in the words of whichever wire the request came by. */
public final class Refusals {
    private Refusals() {}

    /**
     * @param code of gRPC, as number
     * @param pause how long to stay away; null if that does not help
     */
    public static HttpResponse of(
            HttpRequest request, HttpStatus status, Status.Code code, String message, @Nullable Duration pause) {
        String contentType = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        ResponseHeadersBuilder headers;
        if (contentType.startsWith("application/grpc")) {
            headers = ResponseHeaders.builder(HttpStatus.OK)
                    .add(HttpHeaderNames.CONTENT_TYPE, "application/grpc")
                    .add("grpc-status", String.valueOf(code.value()))
                    .add("grpc-message", escaped(message));
            return HttpResponse.of(headers.build());
        }
        headers = ResponseHeaders.builder(status).contentType(ErrorBody.MEDIA_TYPE);
        if (status.equals(HttpStatus.UNAUTHORIZED)) {
            headers.add(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        if (pause != null) {
            headers.add(HttpHeaderNames.RETRY_AFTER, String.valueOf(Math.max(1, pause.toSeconds())));
        }
        String kind = code == Status.Code.RESOURCE_EXHAUSTED
                ? "exhausted"
                : code.name().toLowerCase(Locale.ROOT);
        return HttpResponse.of(headers.build(), ErrorBody.data(ErrorBody.of(kind, message)));
    }

    /** As gRPC wants a message in a header: printable ASCII, all else percent-encoded. */
    private static String escaped(String message) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : message.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '%') {
                escaped.append((char) b);
            } else {
                escaped.append(String.format("%%%02X", b & 0xff));
            }
        }
        return escaped.toString();
    }
}
