package dev.holdfast.spring.leadership;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LostReason;
import dev.holdfast.spring.LeaderEvent;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** One leadership of this instance: from the events of its election to the events of its end. */
final class Leadership {
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    /** How often a leader whose thread ignored an interrupt notices that its leadership was closed. */
    private static final long CHECK_MILLIS = 1_000;

    private final String election;
    private final Lease lease;
    private final LeaderMethods methods;
    private final ApplicationEventPublisher events;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<Void> delivered = new CompletableFuture<>();

    /** Guarded by this. */
    private boolean reported;

    Leadership(String election, Lease lease, LeaderMethods methods, ApplicationEventPublisher events) {
        this.election = election;
        this.lease = lease;
        this.methods = methods;
        this.events = events;
    }

    /** Leads until the lease is lost, the election is closed, or a listener throws. */
    void lead() throws Exception {
        log.info("{}: elected, fence {}", election, lease.hasFence() ? lease.fence() : "none");
        lease.onLost(reason -> end(Optional.of(reason)));
        try {
            LeaderEvent.Elected elected = new LeaderEvent.Elected(election, lease);
            events.publishEvent(elected);
            methods.elected(elected);
            while (lease.isHeld() && !ended.await(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                // Leads on.
            }
        } finally {
            end(lossOf(lease));
            // Another thread may be calling the listeners: they must hear of this loss before the next election.
            delivered.join();
        }
    }

    private static Optional<LostReason> lossOf(Lease lease) {
        try {
            lease.checkHeld();
        } catch (LeaseLostException e) {
            return Optional.of(e.reason());
        } catch (IllegalStateException e) {
            // This process has ended it.
        }
        return Optional.empty();
    }

    private void end(Optional<LostReason> reason) {
        synchronized (this) {
            if (reported) {
                return;
            }
            reported = true;
        }
        ended.countDown();
        log.info(
                "{}: no longer the leader{}",
                election,
                reason.map(why -> ", " + why).orElse(""));
        try {
            deliver(new LeaderEvent.Lost(election, lease, reason));
        } finally {
            delivered.complete(null);
        }
    }

    @SuppressWarnings("IllegalCatch") // The methods must hear of the loss, even if a listener fails with an Error.
    private void deliver(LeaderEvent.Lost lost) {
        try {
            events.publishEvent(lost);
        } catch (Throwable e) {
            log.warn("{}: a listener to the loss of the leadership failed", election, e);
        }
        methods.lost(lost);
    }
}
