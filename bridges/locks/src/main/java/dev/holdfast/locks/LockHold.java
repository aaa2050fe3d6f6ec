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
    private State state;

    LockHold(Leases leases, LeaseService service, Lease lease, List<BiConsumer<Key, LostReason>> listeners) {
        this.leases = leases;
        this.service = service;
        this.key = lease.key();
        this.listeners = listeners;
        this.state = new Leased(lease);
        listeners.forEach(listener -> lease.onLost(reason -> listener.accept(key, reason)));
    }

    private sealed interface State {}

    /** Held by a lease, which notices its loss. */
    private record Leased(Lease lease) implements State {}

    /** Held by a token. */
    private record Bounded(Token token, Duration term, BoundedTerm running) implements State {}

    Optional<Lease> lease() {
        return state instanceof Leased leased ? Optional.of(leased.lease()) : Optional.empty();
    }

    /** @throws LeaseLostException if the lease was lost */
    void checkHeld() {
        if (state instanceof Leased leased) {
            leased.lease().checkHeld();
        } else if (state instanceof Bounded bounded && bounded.running().isOver()) {
            throw new LeaseLostException(key, LostReason.EXPIRED);
        }
    }

    void renew() {
        if (state instanceof Leased leased) {
            leased.lease().renew();
        } else if (state instanceof Bounded bounded) {
            renew(bounded.term());
        }
    }

    void renew(Duration term) {
        RenewOptions options = RenewOptions.defaults().term(term);
        checkHeld();
        // Until the answer, the store may have the previous term or the new one: only the shorter one is certain.
        Bounded before = bounded(term);
        state = before;
        RenewResult renewed;
        try {
            renewed = leases.renew(key, before.token(), options);
        } catch (LeaseLostException e) {
            before.running().stop();
            state = new Bounded(before.token(), term, running(Duration.ZERO, e.reason()));
            throw e;
        }
        before.running().stop();
        state = new Bounded(renewed.token(), term, running(renewed.remaining(), LostReason.EXPIRED));
        checkHeld(); // The answer may have come after the new term.
    }

    /** The same hold by its token. The lease does not renew it any more. */
    private Bounded bounded(Duration newTerm) {
        if (state instanceof Bounded bounded) {
            bounded.running().stop();
            return new Bounded(
                    bounded.token(), newTerm, shorter(bounded.running().remaining(), newTerm));
        }
        Lease lease = ((Leased) state).lease();
        Duration left = lease.remaining();
        return new Bounded(lease.detach(), newTerm, shorter(left, newTerm));
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
        if (state instanceof Leased leased) {
            end(leased.lease());
        } else if (state instanceof Bounded bounded) {
            end(bounded);
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

    private void end(Bounded bounded) {
        boolean isLost = bounded.running().isOver();
        bounded.running().stop();
        if (isLost) {
            releaseLater(() -> leases.async().release(key, bounded.token()));
            throw new LeaseLostException(key, LostReason.EXPIRED);
        }
        release(() -> leases.release(key, bounded.token()));
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
