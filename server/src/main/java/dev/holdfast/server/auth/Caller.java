package dev.holdfast.server.auth;

import com.linecorp.armeria.common.RequestContext;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whoever was found to have sent a request, tied to it. A stream outlives many a line of the file of tokens, so what its
 * caller may do is looked up again whenever that file was read again. Thread-safe.
 */
final class Caller {
    private static final AttributeKey<Caller> KEY = AttributeKey.valueOf(Caller.class, "caller");

    private final Callers callers;
    private final Function<Callers, Optional<Permissions>> proof;
    private volatile Known known;

    private record Known(Object edition, Optional<Permissions> permissions) {}

    /** @param proof what he showed, looked up */
    Caller(Callers callers, Function<Callers, Optional<Permissions>> proof) {
        this.callers = callers;
        this.proof = proof;
        this.known = lookUp();
    }

    private Known lookUp() {
        Object edition = callers.edition(); // Before looking: what is read meanwhile is looked up the next time.
        return new Known(edition, proof.apply(callers));
    }

    /** What he may do now; empty if he is nobody, or is nobody any more. */
    Optional<Permissions> permissions() {
        Known now = known;
        if (now.edition != callers.edition()) {
            now = lookUp();
            known = now;
        }
        return now.permissions;
    }

    void sent(RequestContext ctx) {
        ctx.setAttr(KEY, this);
    }

    /** Null if nobody was looked for. */
    static @Nullable Caller of(RequestContext ctx) {
        return ctx.attr(KEY);
    }
}
