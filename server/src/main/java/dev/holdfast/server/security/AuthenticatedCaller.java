package dev.holdfast.server.security;

import com.linecorp.armeria.common.RequestContext;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated caller of a request, attached to the request's context. A stream may outlive the caller's line in
 * the token file. So the permissions are looked up again whenever that file has been reloaded. Thread-safe.
 */
final class AuthenticatedCaller {
    private static final AttributeKey<AuthenticatedCaller> KEY =
            AttributeKey.valueOf(AuthenticatedCaller.class, "caller");

    private final CallerTable callerTable;
    private final Function<CallerTable, Optional<CallerPermissions>> proof;
    private final BooleanSupplier isOpen;
    private volatile Known known;

    private record Known(Object edition, Optional<CallerPermissions> permissions) {}

    /** @param proof looks up the secret or certificate that the caller presented */
    AuthenticatedCaller(CallerTable callerTable, Function<CallerTable, Optional<CallerPermissions>> proof) {
        this(callerTable, proof, () -> true);
    }

    private AuthenticatedCaller(
            CallerTable callerTable, Function<CallerTable, Optional<CallerPermissions>> proof, BooleanSupplier isOpen) {
        this.callerTable = callerTable;
        this.proof = proof;
        this.isOpen = isOpen;
        this.known = lookUp();
    }

    /** The same caller, for as long as a session is open. */
    AuthenticatedCaller during(BooleanSupplier isSessionOpen) {
        return new AuthenticatedCaller(callerTable, proof, isSessionOpen);
    }

    private Known lookUp() {
        Object edition = callerTable.edition(); // Read first, so that a reload during the lookup causes another.
        return new Known(edition, proof.apply(callerTable));
    }

    /** The caller's current permissions; empty if the caller is not known, or no longer known. */
    Optional<CallerPermissions> permissions() {
        if (!isOpen.getAsBoolean()) {
            return Optional.empty();
        }
        Known now = known;
        if (now.edition != callerTable.edition()) {
            now = lookUp();
            known = now;
        }
        return now.permissions;
    }

    void attachTo(RequestContext ctx) {
        ctx.setAttr(KEY, this);
    }

    /** The caller of a request; null if the request was not authenticated. */
    static @Nullable AuthenticatedCaller of(RequestContext ctx) {
        return ctx.attr(KEY);
    }
}
