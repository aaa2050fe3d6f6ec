package dev.holdfast.server;

import com.linecorp.armeria.server.ServerBuilder;

/**
 * Adds to a server what is around its services: decorators that authenticate, limit and count, further services, TLS.
 * Called once, when all services of Holdfast have been added and before the server starts.
 */
@FunctionalInterface
public interface ServerExtension {
    void extend(ServerBuilder server, ServerComponents parts);
}
