package dev.holdfast.server.security;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.support.ArgumentCheck;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The check of a caller's permissions. Every service calls it before doing anything, with the context of the request.
 * Authentication has attached the caller to that context.
 *
 * <p>A caller that opens a session leases a key in the namespace {@code ~anchors}, regardless of the namespaces it then
 * leases in. Anchor names that belong to callers keep the sessions of different callers apart.
 *
 * <p>Thread-safe; never blocks.
 */
public final class AccessGuard {
    /** Permits everything: for a server that only its own host can reach. */
    public static final AccessGuard OPEN = new AccessGuard(false);

    /** Checks requests against the permissions of their authenticated callers. */
    public static final AccessGuard BY_CALLER = new AccessGuard(true);

    private static final CallerPermissions EVERYTHING = CallerPermissions.all("");
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9._@+-]{1,128}");

    private final boolean authenticates;

    private AccessGuard(boolean authenticates) {
        this.authenticates = authenticates;
    }

    /** The kind of access that a request needs. */
    public enum Access {
        /** Get, list and watch. */
        READ,
        /** Acquire, renew, release, finish and update. */
        LEASE,
        /** Evict, reopen, delete keys held by others, clean up, see tokens, and give orders to fleets. */
        ADMINISTER
    }

    /** @throws StatusRuntimeException if the caller has no such access to {@code namespace} */
    public void require(ServiceRequestContext ctx, Access access, String namespace) {
        CallerPermissions caller = permissions(ctx);
        Access needed = FleetOrderKeys.needed(access, namespace);
        if (authenticates && !caller.allow(needed, namespace)) {
            throw denied(caller, needed, "in namespace", namespace);
        }
    }

    /**
     * @throws StatusRuntimeException if the caller lacks this access to any namespace that begins with {@code prefix}
     */
    public void requireAll(ServiceRequestContext ctx, Access access, String prefix) {
        CallerPermissions caller = permissions(ctx);
        if (!caller.allowAll(access, prefix)) {
            throw denied(caller, access, "in all namespaces that begin with", prefix);
        }
    }

    /**
     * A filter for listed and watched keys: it accepts the namespaces beginning with {@code prefix} to which the caller
     * has this access. It reflects the permissions at the time of each test. It throws as {@link #require} does once
     * the caller is no longer known.
     *
     * @throws StatusRuntimeException if the caller has this access to none of them
     */
    public Predicate<String> allowed(ServiceRequestContext ctx, Access access, String prefix) {
        CallerPermissions caller = permissions(ctx);
        if (!caller.allowSome(access, prefix)) {
            throw denied(caller, access, "in any namespace that begins with", prefix);
        }
        return namespace ->
                !authenticates || permissions(ctx).allow(FleetOrderKeys.needed(access, namespace), namespace);
    }

    /**
     * The namespaces that {@link #allowed} accepts at this moment, as ranges. A scan for a caller is clamped to them.
     *
     * @return at least one range
     * @throws StatusRuntimeException if the caller has this access to none of these namespaces
     */
    public List<NamespaceRange> ranges(ServiceRequestContext ctx, Access access, String prefix) {
        CallerPermissions caller = permissions(ctx);
        List<NamespaceRange> ranges = caller.ranges(access, prefix);
        if (ranges.isEmpty()) {
            throw denied(caller, access, "in any namespace that begins with", prefix);
        }
        return ranges;
    }

    /**
     * The namespaces that the caller may read now.
     *
     * @throws StatusRuntimeException if there are none, or the caller is no longer known
     */
    public ReadableNamespaces readable(ServiceRequestContext ctx) {
        return new ReadableNamespaces(
                ranges(ctx, Access.READ, ""), permissions(ctx).ranges(Access.LEASE, ""));
    }

    /** Whether the caller has this access to {@code namespace}. */
    public boolean isAllowed(ServiceRequestContext ctx, Access access, String namespace) {
        return !authenticates || permissions(ctx).allow(FleetOrderKeys.needed(access, namespace), namespace);
    }

    /** Whether the caller has this access to some namespace. */
    public boolean isAllowedSomewhere(ServiceRequestContext ctx, Access access) {
        return !authenticates || permissions(ctx).allowSome(access, "");
    }

    /** The name of the authenticated caller; empty if the server does not authenticate callers. */
    public Optional<String> caller(ServiceRequestContext ctx) {
        return authenticates ? Optional.of(permissions(ctx).name()) : Optional.empty();
    }

    /** The name of a caller as part of a key: the name itself, or its hash if it is long or has special characters. */
    public static String nameInKey(String caller) {
        return PLAIN_NAME.matcher(caller).matches() ? caller : TokenSecret.hashText(caller);
    }

    private CallerPermissions permissions(ServiceRequestContext ctx) {
        if (!authenticates) {
            return EVERYTHING;
        }
        AuthenticatedCaller caller = AuthenticatedCaller.of(ctx);
        if (caller == null) {
            throw Status.UNAUTHENTICATED.withDescription("not authenticated").asRuntimeException();
        }
        return caller.permissions().orElseThrow(AccessGuard::revoked);
    }

    /** The error for a caller whose token was removed during its request. */
    static StatusRuntimeException revoked() {
        return Status.UNAUTHENTICATED
                .withDescription("the token is no longer valid")
                .asRuntimeException();
    }

    private static RuntimeException denied(CallerPermissions caller, Access access, String where, String namespace) {
        String verb = access.name().toLowerCase(Locale.ROOT);
        return Status.PERMISSION_DENIED
                .withDescription(caller.name() + " may not " + verb + " " + where + " \""
                        + ArgumentCheck.printable(namespace) + "\"")
                .asRuntimeException();
    }
}
