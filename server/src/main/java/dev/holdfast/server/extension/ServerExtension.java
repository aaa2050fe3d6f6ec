package dev.holdfast.server.extension;

import com.linecorp.armeria.server.ServerBuilder;

/**
 * An addition to a server around its services: decorators that authenticate, limit and count, further services, TLS.
 * Called once, after all services of Holdfast have been added and before the server starts.
 */
@FunctionalInterface
public interface ServerExtension {
    void extend(ServerBuilder server, ServedLeases leases);
}
