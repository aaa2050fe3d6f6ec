package dev.holdfast.server.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.MediaType;

/** The one shape of errors over HTTP. */
public final class ErrorBody {
    /** The media type of every error. */
    public static final MediaType MEDIA_TYPE = MediaType.JSON_UTF_8;

    private ErrorBody() {}

    public static ObjectNode of(String error, String message) {
        return JsonNodeFactory.instance.objectNode().put("error", error).put("message", message);
    }

    public static HttpData data(ObjectNode body) {
        return HttpData.ofUtf8(body + "\n");
    }
}
