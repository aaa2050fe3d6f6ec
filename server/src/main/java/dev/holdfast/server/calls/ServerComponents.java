package dev.holdfast.server.calls;

import dev.holdfast.AsyncLeases;
import dev.holdfast.server.extension.ServerDrain;
import dev.holdfast.server.security.AccessGuard;
import dev.holdfast.server.watch.SharedScan;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import java.util.concurrent.CompletableFuture;

/**
 * The components that all calls of one server share.
 *
 * @param leases the leases on the store
 * @param service the service behind them
 */
public record ServerComponents(
        AsyncLeases leases,
        LeaseService service,
        AccessGuard guard,
        StreamAdmission admission,
        RequestGate gate,
        ServerDrain drain,
        SharedScan watches,
        AuditLog audit) {
    /** Releases a grant that cannot be delivered, unless it was renewed since. Other answers need no release. */
    public void releaseUndelivered(Answer outcome) {
        if (outcome instanceof Answer.Applied granted) {
            CompletableFuture<Void> unused = service.releaseUndelivered(granted);
        }
    }
}
