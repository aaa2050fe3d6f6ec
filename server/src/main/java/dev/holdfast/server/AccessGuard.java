package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.watch.NamespaceRange;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The check of a caller's permissions. Every service calls it before doing anything, with the context of the request.
 * Authentication has attached the caller to that context.
 *
 * <p>A caller that opens a session leases a key in the namespace {@code ~anchors}, regardless of the namespaces it then
 * leases in. {@link AnchorNameOwners} keeps the sessions of different callers apart.
 *
 * <p>Thread-safe; never blocks.
 */
public interface AccessGuard {
    /** Permits everything: for a server that only its own host can reach. */
    AccessGuard OPEN = new AccessGuard() {
        @Override
        public void require(ServiceRequestContext ctx, Access access, String namespace) {}

        @Override
        public void requireAll(ServiceRequestContext ctx, Access access, String prefix) {}

        @Override
        public Predicate<String> allowed(ServiceRequestContext ctx, Access access, String prefix) {
            return namespace -> true;
        }

        @Override
        public List<NamespaceRange> ranges(ServiceRequestContext ctx, Access access, String prefix) {
            return List.of(NamespaceRange.startingWith(prefix));
        }
    };

    /** The kind of access that a request needs. */
    enum Access {
        /** Get, list and watch. */
        READ,
        /** Acquire, renew, release, finish and update. */
        LEASE,
        /** Evict, reopen, delete keys held by others, clean up, and see tokens. */
        ADMINISTER
    }

    /** @throws StatusRuntimeException if the caller has no such access to {@code namespace} */
    void require(ServiceRequestContext ctx, Access access, String namespace);

    /**
     * @throws StatusRuntimeException if the caller lacks this access to any namespace that begins with {@code prefix}
     */
    void requireAll(ServiceRequestContext ctx, Access access, String prefix);

    /**
     * A filter for listed and watched keys: it accepts the namespaces beginning with {@code prefix} to which the caller
     * has this access. It reflects the permissions at the time of each test. It throws as {@link #require} does once
     * the caller is no longer known.
     *
     * @throws StatusRuntimeException if the caller has this access to none of them
     */
    Predicate<String> allowed(ServiceRequestContext ctx, Access access, String prefix);

    /**
     * The namespaces that {@link #allowed} accepts at this moment, as ranges. A scan for a caller is clamped to them.
     *
     * @return at least one range
     * @throws StatusRuntimeException if the caller has this access to none of these namespaces
     */
    List<NamespaceRange> ranges(ServiceRequestContext ctx, Access access, String prefix);

    /** The name of the authenticated caller; empty if the server does not authenticate callers. */
    default Optional<String> caller(ServiceRequestContext ctx) {
        return Optional.empty();
    }
}
