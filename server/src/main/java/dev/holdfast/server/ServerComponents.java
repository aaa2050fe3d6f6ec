package dev.holdfast.server;

import dev.holdfast.Leases;
import dev.holdfast.server.watch.WatchRegistry;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import java.util.concurrent.CompletableFuture;

/**
 * The components that all services of one server share.
 *
 * @param leases the leases on the store
 * @param service the service behind them
 */
public record ServerComponents(
        Leases leases,
        LeaseService service,
        AccessGuard guard,
        StreamAdmission admission,
        RequestGate turnstile,
        ServerDrain drain,
        WatchRegistry watches,
        AuditLog audit) {
    /** Releases a grant that cannot be delivered, unless it was renewed since. Other answers need no release. */
    void releaseUndelivered(Answer outcome) {
        if (outcome instanceof Answer.Applied granted) {
            CompletableFuture<Void> unused = service.releaseUndelivered(granted);
        }
    }
}
