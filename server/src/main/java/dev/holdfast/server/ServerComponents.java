package dev.holdfast.server;

import dev.holdfast.RelayingLeases;
import dev.holdfast.server.watch.WatchRegistry;

/**
 * The components that all services of one server share.
 *
 * @param leases the leases on the store
 */
public record ServerComponents(
        RelayingLeases leases,
        AccessGuard guard,
        StreamAdmission admission,
        RequestGate turnstile,
        ServerDrain drain,
        WatchRegistry watches,
        AuditLog audit) {}
