package dev.holdfast.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.watch.NamespaceRange;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who may do what. Asked by every service, before anything is done, with the context of the request, to which whatever
 * authenticated the caller has tied who that is.
 *
 * <p>A caller that opens a session leases a key of the namespace {@code ~anchors}, whichever namespaces it then leases
 * in. {@link AnchorNameOwners} keeps the sessions of different callers apart.
 *
 * <p>Thread-safe; never blocks.
 */
public interface AccessGuard {
    /** All may do all: for a server that only its own host can reach. */
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

    /** What is to be done. */
    enum Access {
        /** Get, list and watch. */
        READ,
        /** Acquire, renew, release, finish and update. */
        LEASE,
        /** Evict, reopen, delete what others left, clean up, and see tokens. */
        ADMINISTER
    }

    /** @throws StatusRuntimeException if the caller may not do this in {@code namespace} */
    void require(ServiceRequestContext ctx, Access access, String namespace);

    /** @throws StatusRuntimeException if the caller may not do this in some namespace that begins with {@code prefix} */
    void requireAll(ServiceRequestContext ctx, Access access, String prefix);

    /**
     * In which of the namespaces that begin with {@code prefix} the caller may do this: what is listed is filtered by it.
     * Asked for as long as something is told; it throws as {@link #require} does once the caller is not known any more.
     *
     * @throws StatusRuntimeException if in none of them
     */
    Predicate<String> allowed(ServiceRequestContext ctx, Access access, String prefix);

    /**
     * The same as ranges, as of now. A scan for a caller is clamped to them.
     *
     * @return at least one
     * @throws StatusRuntimeException if the caller may do this in none of these namespaces
     */
    List<NamespaceRange> ranges(ServiceRequestContext ctx, Access access, String prefix);

    /** The name of the authenticated caller; empty if the server does not authenticate callers. */
    default Optional<String> caller(ServiceRequestContext ctx) {
        return Optional.empty();
    }
}
