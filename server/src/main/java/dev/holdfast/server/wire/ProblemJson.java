package dev.holdfast.server.wire;

import com.linecorp.armeria.common.MediaType;

/** Errors over HTTP as RFC 9457 has them, with our own fields beside: they are JSON, as they have always been. */
public final class ProblemJson {
    public static final MediaType MEDIA_TYPE = MediaType.parse("application/problem+json; charset=utf-8");

    private ProblemJson() {}
}
