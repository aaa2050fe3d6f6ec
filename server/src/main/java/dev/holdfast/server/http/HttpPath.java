package dev.holdfast.server.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.wire.RequestPaths;
import dev.holdfast.support.ArgumentCheck;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * The parts of a path, each decoded by itself: a percent-encoded slash is part of a name, a plain one separates parts.
 */
public record HttpPath(List<String> parts) {
    static final Set<String> ACTIONS =
            Set.of("acquire", "renew", "release", "done", "update", "reopen", "delete", "evict");

    static final String WHY = "why";

    private static final String LEASES = "leases";
    private static final String NAMED = RequestPaths.HTTP + LEASES + "/{name}";
    private static final Set<String> SINGLE = Set.of(LEASES, "watch", "cleanup", "openapi.json");

    /** The path as it was sent: a name may contain encoded slashes. */
    static String sent(ServiceRequestContext ctx) {
        return ctx.routingContext().requestTarget().maybePathWithMatrixVariables();
    }

    /**
     * The name of a path for metrics: there are as many paths as keys, but few routes. It is such as {@code
     * /v1/leases/{name}/acquire}; {@code /v1/*} for a path without a route.
     */
    public static String route(ServiceRequestContext ctx) {
        return route(sent(ctx));
    }

    static String route(String path) {
        List<String> parts = List.of(path.split("/", -1));
        if (parts.size() == 3 && SINGLE.contains(parts.get(2))) {
            return path;
        } else if (parts.size() == 4 && parts.get(2).equals(LEASES)) {
            return NAMED;
        } else if (parts.size() == 5 && parts.get(2).equals(LEASES) && isKnown(parts.get(4))) {
            return NAMED + "/" + parts.get(4);
        }
        return RequestPaths.HTTP + "*";
    }

    private static boolean isKnown(String last) {
        return ACTIONS.contains(last) || last.equals(WHY);
    }

    static HttpPath parse(String path) {
        return new HttpPath(List.of(path.substring(1).split("/", -1)).stream()
                .map(HttpPath::decode)
                .toList());
    }

    private static String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        byte[] raw = encoded.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '%') {
                bytes.write(raw[i]);
                continue;
            }
            int high = i + 2 <= raw.length - 1 ? Character.digit(raw[i + 1], 16) : -1;
            int low = i + 2 <= raw.length - 1 ? Character.digit(raw[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw ArgumentCheck.bad("path", encoded, "percent-encoded UTF-8");
            }
            bytes.write(high * 16 + low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ArgumentCheck.bad("path", encoded, "percent-encoded UTF-8");
        }
    }
}
