package dev.holdfast.server.auth;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.internal.Check;
import dev.holdfast.server.Guard;
import dev.holdfast.server.watch.NamespaceRange;
import io.grpc.Status;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Lets callers do what they have permission for. */
public final class PermissionGuard implements Guard {
    @Override
    public void require(ServiceRequestContext ctx, Access access, String namespace) {
        Permissions caller = caller(ctx);
        if (!caller.allow(access, namespace)) {
            throw denied(caller, access, "in namespace \"" + Check.printable(namespace) + "\"");
        }
    }

    @Override
    public void requireAll(ServiceRequestContext ctx, Access access, String prefix) {
        Permissions caller = caller(ctx);
        if (!caller.allowAll(access, prefix)) {
            throw denied(caller, access, "in all namespaces that begin with \"" + Check.printable(prefix) + "\"");
        }
    }

    @Override
    public Predicate<String> allowed(ServiceRequestContext ctx, Access access, String prefix) {
        Permissions caller = caller(ctx);
        if (!caller.allowSome(access, prefix)) {
            throw denied(caller, access, "in any namespace that begins with \"" + Check.printable(prefix) + "\"");
        }
        return namespace -> caller(ctx).allow(access, namespace);
    }

    @Override
    public List<NamespaceRange> ranges(ServiceRequestContext ctx, Access access, String prefix) {
        Permissions caller = caller(ctx);
        List<NamespaceRange> ranges = caller.ranges(access, prefix);
        if (ranges.isEmpty()) {
            throw denied(caller, access, "in any namespace that begins with \"" + Check.printable(prefix) + "\"");
        }
        return ranges;
    }

    private static Permissions caller(ServiceRequestContext ctx) {
        Caller caller = Caller.of(ctx);
        return Optional.ofNullable(caller)
                .flatMap(Caller::permissions)
                .orElseThrow(() -> Status.UNAUTHENTICATED
                        .withDescription(caller == null ? "nobody" : "what was shown is not known here any more")
                        .asRuntimeException());
    }

    private static RuntimeException denied(Permissions caller, Access access, String where) {
        String what = switch (access) {
            case READ -> "read";
            case LEASE -> "lease";
            case ADMINISTER -> "administer";
        };
        return Status.PERMISSION_DENIED
                .withDescription(caller.name() + " may not " + what + " " + where)
                .asRuntimeException();
    }
}
