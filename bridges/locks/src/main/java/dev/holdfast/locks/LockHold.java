package dev.holdfast.locks;

import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.RenewOptions;
import dev.holdfast.RenewResult;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.service.LeaseService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hold of one thread on a lock, until its last unlock. A lease holds the key; after {@link #renew(Duration)}, a token does, for
 * a term that the caller chose. Used only by the thread that owns the mutex of the key.
 */
final class LockHold {
    private static final Logger log = LoggerFactory.getLogger(Locks.class);

    private final Leases leases;
    private final LeaseService service;
    private final Key key;
    private final List<BiConsumer<Key, LostReason>> listeners;
    private HoldState state;

    LockHold(Leases leases, LeaseService service, Lease lease, List<BiConsumer<Key, LostReason>> listeners) {
        this.leases = leases;
        this.service = service;
        this.key = lease.key();
        this.listeners = listeners;
        this.state = new HeldByLease(lease);
        listeners.forEach(listener -> lease.onLost(reason -> listener.accept(key, reason)));
    }

    private sealed interface HoldState {}

    /** Held by a lease, which notices its loss. */
    private record HeldByLease(Lease lease) implements HoldState {}

    /** Held by a token. */
    private record HeldByToken(Token token, Duration term, BoundedTerm running) implements HoldState {}

    Optional<Lease> lease() {
        return state instanceof HeldByLease held ? Optional.of(held.lease()) : Optional.empty();
    }

    /** @throws LeaseLostException if the lease was lost */
    void checkHeld() {
        if (state instanceof HeldByLease held) {
            held.lease().checkHeld();
        } else if (state instanceof HeldByToken held && held.running().isOver()) {
            throw new LeaseLostException(key, LostReason.EXPIRED);
        }
    }

    void renew() {
        if (state instanceof HeldByLease held) {
            held.lease().renew();
        } else if (state instanceof HeldByToken held) {
            renew(held.term());
        }
    }

    void renew(Duration term) {
        RenewOptions options = RenewOptions.defaults().term(term);
        checkHeld();
        // Until the answer, the store may have the previous term or the new one: only the shorter one is certain.
        HeldByToken before = byToken(term);
        state = before;
        RenewResult renewed;
        try {
            renewed = leases.renew(key, before.token(), options);
        } catch (LeaseLostException e) {
            if (before.running().stop()) {
                state = new HeldByToken(before.token(), term, running(Duration.ZERO, e.reason()));
            }
            throw e;
        }
        if (!before.running().stop()) {
            // The loss was reported while the store did not answer. Once lost, it stays lost.
            state = new HeldByToken(renewed.token(), term, before.running());
            throw new LeaseLostException(key, LostReason.STORE_UNREACHABLE);
        }
        state = new HeldByToken(renewed.token(), term, running(renewed.remaining(), LostReason.EXPIRED));
        checkHeld(); // The answer may have come after the new term.
    }

    /** The same hold by its token. The lease does not renew it any more. */
    private HeldByToken byToken(Duration newTerm) {
        if (state instanceof HeldByToken held) {
            if (!held.running().stop()) {
                throw new LeaseLostException(key, LostReason.EXPIRED);
            }
            return new HeldByToken(held.token(), newTerm, shorter(held.running().remaining(), newTerm));
        }
        Lease lease = ((HeldByLease) state).lease();
        Duration left = lease.remaining();
        return new HeldByToken(lease.detach(), newTerm, shorter(left, newTerm));
    }

    private BoundedTerm shorter(Duration left, Duration newTerm) {
        return running(left.compareTo(newTerm) < 0 ? left : newTerm, LostReason.STORE_UNREACHABLE);
    }

    private BoundedTerm running(Duration length, LostReason reason) {
        return new BoundedTerm(service, length, () -> listeners.forEach(listener -> notify(listener, reason)));
    }

    /** One callback each: if one fails, the others are called all the same. */
    private void notify(BiConsumer<Key, LostReason> listener, LostReason reason) {
        service.environment().execute(() -> listener.accept(key, reason));
    }

    /**
     * Releases the key.
     *
     * @throws LeaseLostException if the lease was lost before
     */
    void end() {
        if (state instanceof HeldByLease held) {
            end(held.lease());
        } else if (state instanceof HeldByToken held) {
            end(held);
        }
    }

    private void end(Lease lease) {
        try {
            lease.checkHeld();
        } catch (LeaseLostException e) {
            releaseLater(lease::releaseAsync);
            throw e;
        } catch (IllegalStateException e) {
            return; // This process has ended the lease itself, which is no loss.
        }
        release(lease::release);
    }

    private void end(HeldByToken held) {
        if (!held.running().stop()) {
            releaseLater(() -> leases.async().release(key, held.token()));
            throw new LeaseLostException(key, LostReason.EXPIRED);
        }
        release(() -> leases.release(key, held.token()));
    }

    private void release(BooleanSupplier call) {
        boolean isReleased;
        try {
            isReleased = call.getAsBoolean();
        } catch (StoreException | IllegalStateException e) {
            log.warn("{} was not released; it ends with its term", key, e);
            return;
        }
        if (!isReleased) {
            throw new LeaseLostException(key, LostReason.TAKEN);
        }
    }

    /** Releases a lost key if no other holder has it yet. The caller does not wait for a store that may not answer. */
    private void releaseLater(Supplier<CompletionStage<Boolean>> call) {
        try {
            // If it fails, the lease ends with its term.
            CompletionStage<Boolean> unused = call.get();
        } catch (RuntimeException e) {
            log.debug("{} was not released", key, e);
        }
    }
}
