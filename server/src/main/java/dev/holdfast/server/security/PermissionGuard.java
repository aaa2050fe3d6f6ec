package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.AccessGuard;
import dev.holdfast.server.watch.NamespaceRange;
import dev.holdfast.support.ArgumentCheck;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The guard that checks requests against the permissions of their authenticated callers. */
public final class PermissionGuard implements AccessGuard {
    @Override
    public void require(ServiceRequestContext ctx, Access access, String namespace) {
        CallerPermissions caller = permissions(ctx);
        if (!caller.allow(access, namespace)) {
            throw denied(caller, access, "in namespace \"" + ArgumentCheck.printable(namespace) + "\"");
        }
    }

    @Override
    public void requireAll(ServiceRequestContext ctx, Access access, String prefix) {
        CallerPermissions caller = permissions(ctx);
        if (!caller.allowAll(access, prefix)) {
            throw denied(
                    caller, access, "in all namespaces that begin with \"" + ArgumentCheck.printable(prefix) + "\"");
        }
    }

    @Override
    public Predicate<String> allowed(ServiceRequestContext ctx, Access access, String prefix) {
        CallerPermissions caller = permissions(ctx);
        if (!caller.allowSome(access, prefix)) {
            throw denied(
                    caller, access, "in any namespace that begins with \"" + ArgumentCheck.printable(prefix) + "\"");
        }
        return namespace -> permissions(ctx).allow(access, namespace);
    }

    @Override
    public List<NamespaceRange> ranges(ServiceRequestContext ctx, Access access, String prefix) {
        CallerPermissions caller = permissions(ctx);
        List<NamespaceRange> ranges = caller.ranges(access, prefix);
        if (ranges.isEmpty()) {
            throw denied(
                    caller, access, "in any namespace that begins with \"" + ArgumentCheck.printable(prefix) + "\"");
        }
        return ranges;
    }

    @Override
    public Optional<String> caller(ServiceRequestContext ctx) {
        return Optional.of(permissions(ctx).name());
    }

    private static CallerPermissions permissions(ServiceRequestContext ctx) {
        AuthenticatedCaller authenticatedCaller = AuthenticatedCaller.of(ctx);
        return Optional.ofNullable(authenticatedCaller)
                .flatMap(AuthenticatedCaller::permissions)
                .orElseThrow(() -> authenticatedCaller == null
                        ? Status.UNAUTHENTICATED
                                .withDescription("not authenticated")
                                .asRuntimeException()
                        : revoked());
    }

    /** The error for a caller whose token was removed during its request. */
    static StatusRuntimeException revoked() {
        return Status.UNAUTHENTICATED
                .withDescription("the token is no longer valid")
                .asRuntimeException();
    }

    private static RuntimeException denied(CallerPermissions caller, Access access, String where) {
        String verb = switch (access) {
            case READ -> "read";
            case LEASE -> "lease";
            case ADMINISTER -> "administer";
        };
        return Status.PERMISSION_DENIED
                .withDescription(caller.name() + " may not " + verb + " " + where)
                .asRuntimeException();
    }
}
