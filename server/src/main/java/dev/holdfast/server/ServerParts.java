package dev.holdfast.server;

import dev.holdfast.RelayingLeases;
import dev.holdfast.server.watch.Watches;

/**
 * What the services of one server share.
 *
 * @param leases on the store
 */
public record ServerParts(
        RelayingLeases leases,
        Guard guard,
        Admission admission,
        Turnstile turnstile,
        Drain drain,
        Watches watches,
        AuditLog audit) {}
