package dev.holdfast.server.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;

/**
 * The format of all errors over HTTP: problem documents (RFC 9457), with fields of our own beside the standard ones.
 */
public final class ProblemJsonBody {
    /** The media type of every error. */
    public static final MediaType MEDIA_TYPE = MediaType.parse("application/problem+json; charset=utf-8");

    private ProblemJsonBody() {}

    /** @param error a code without spaces, which OpenAPI lists */
    public static ObjectNode of(String error, String message) {
        return JsonNodeFactory.instance.objectNode().put("error", error).put("message", message);
    }

    /** The body of a response with {@code status}. */
    public static HttpData data(HttpStatus status, ObjectNode body) {
        body.put("title", status.reasonPhrase())
                .put("status", status.code())
                .put("detail", body.path("message").asText());
        return HttpData.ofUtf8(body + "\n");
    }
}
