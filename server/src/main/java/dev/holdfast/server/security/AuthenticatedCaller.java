package dev.holdfast.server.security;

import com.linecorp.armeria.common.RequestContext;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whoever was found to have sent a request, tied to it. A stream outlives many a line of the file of tokens, so what its
 * caller may do is looked up again whenever that file was read again. Thread-safe.
 */
final class AuthenticatedCaller {
    private static final AttributeKey<AuthenticatedCaller> KEY =
            AttributeKey.valueOf(AuthenticatedCaller.class, "caller");

    private final CallerTable callerTable;
    private final Function<CallerTable, Optional<CallerPermissions>> proof;
    private volatile Known known;

    private record Known(Object edition, Optional<CallerPermissions> permissions) {}

    /** @param proof what he showed, looked up */
    AuthenticatedCaller(CallerTable callerTable, Function<CallerTable, Optional<CallerPermissions>> proof) {
        this.callerTable = callerTable;
        this.proof = proof;
        this.known = lookUp();
    }

    private Known lookUp() {
        Object edition = callerTable.edition(); // Before looking: what is read meanwhile is looked up the next time.
        return new Known(edition, proof.apply(callerTable));
    }

    /** What he may do now; empty if he is nobody, or is nobody any more. */
    Optional<CallerPermissions> permissions() {
        Known now = known;
        if (now.edition != callerTable.edition()) {
            now = lookUp();
            known = now;
        }
        return now.permissions;
    }

    void sent(RequestContext ctx) {
        ctx.setAttr(KEY, this);
    }

    /** Null if nobody was looked for. */
    static @Nullable AuthenticatedCaller of(RequestContext ctx) {
        return ctx.attr(KEY);
    }
}
