package dev.holdfast.client.link;

import io.grpc.Status;

/** The mapping of HTTP status codes that come from a proxy in front of the server. */
final class HttpStatusCodes {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;

    private HttpStatusCodes() {}

    static Status of(int code) {
        return switch (code) {
            case UNAUTHORIZED -> Status.UNAUTHENTICATED;
            case FORBIDDEN -> Status.PERMISSION_DENIED;
            case NOT_FOUND -> Status.UNIMPLEMENTED;
            case TOO_MANY -> Status.RESOURCE_EXHAUSTED;
            case BAD_GATEWAY, UNAVAILABLE, GATEWAY_TIMEOUT -> Status.UNAVAILABLE;
            default -> Status.UNKNOWN;
        };
    }
}
