package dev.holdfast;

import dev.holdfast.internal.Futures;
import dev.holdfast.model.Key;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Contends for a key for as long as it is open: elected, it leads until it loses the lease or is closed; then it
 * contends again.
 *
 * <p>Callbacks run one after another on the client's callback thread, so {@code onLost} of one term is over before
 * {@code onElected} of the next begins. A leader that must not act past its term looks at {@link Lease#isHeld} before
 * it acts, and hands on {@link Lease#fence}.
 *
 * <p>Thread-safe. Close it before its client: a client that is closed under it has nobody to tell.
 */
public final class LeaderElection implements AutoCloseable {
    /** Contending is renewed now and then only so that no wait is without end. */
    private static final Duration ROUND = Duration.ofMinutes(10);

    private final Leases leases;
    private final Key key;
    private final AcquireOptions options;
    private final Consumer<Lease> onElected;
    private final Consumer<LostReason> onLost;
    private final Consumer<Throwable> onFailed;

    private boolean closed;
    private @Nullable CompletableFuture<AcquireResult> contending;
    private @Nullable Lease lease;

    private LeaderElection(Builder from) {
        this.leases = from.leases;
        this.key = from.key;
        this.options = from.options;
        this.onElected = from.onElected;
        this.onLost = from.onLost;
        this.onFailed = from.onFailed;
    }

    public static Builder of(Leases leases, Key key) {
        return new Builder(leases, key);
    }

    /** The lease by which this leads; empty if it does not. */
    public synchronized Optional<Lease> leading() {
        return Optional.ofNullable(lease).filter(Lease::isHeld);
    }

    public boolean isLeader() {
        return leading().isPresent();
    }

    private void contend() {
        CompletableFuture<AcquireResult> round;
        synchronized (this) {
            if (closed) {
                return;
            }
            round = ask();
            contending = round;
        }
        Futures.whenDone(round, (result, error) -> leases.runtime().execute(() -> decided(result, error)));
    }

    private CompletableFuture<AcquireResult> ask() {
        try {
            return leases.async().acquire(key, options, ROUND).toCompletableFuture();
        } catch (IllegalStateException e) {
            // The client was closed before this was.
            closed = true;
            return CompletableFuture.failedFuture(e);
        }
    }

    private void decided(@Nullable AcquireResult result, @Nullable Throwable error) {
        if (error != null) {
            failed(error);
        } else if (result instanceof AcquireResult.Granted granted) {
            elected(granted.held());
        } else if (result instanceof AcquireResult.Done done) {
            failed(new NotGrantedException(done));
        } else {
            contend();
        }
    }

    private void failed(Throwable error) {
        boolean cancelled = Futures.cause(error) instanceof CancellationException;
        if (!cancelled) {
            onFailed.accept(Futures.cause(error));
        }
        if (isOpen()) {
            leases.runtime().schedule(options.term().duration().dividedBy(3), this::contend);
        }
    }

    private synchronized boolean isOpen() {
        return !closed;
    }

    private void elected(Lease won) {
        boolean welcome;
        synchronized (this) {
            welcome = !closed;
            lease = welcome ? won : null;
        }
        if (!welcome) {
            release(won);
            return;
        }
        won.onLost(this::lost);
        try {
            onElected.accept(won);
        } catch (RuntimeException e) {
            // Who cannot lead must not keep others from it.
            release(won);
            failed(e);
        }
    }

    private void lost(LostReason reason) {
        synchronized (this) {
            lease = null;
        }
        onLost.accept(reason);
        contend();
    }

    private void release(Lease unwanted) {
        synchronized (this) {
            lease = null;
        }
        Futures.whenDone(unwanted.releaseAsync(), (released, error) -> {});
    }

    /** Gives way: stops contending, and releases the lease if this leads. {@code onLost} is not called. Idempotent. */
    @Override
    public void close() {
        CompletableFuture<AcquireResult> waiting;
        Lease held;
        synchronized (this) {
            closed = true;
            waiting = contending;
            held = lease;
            lease = null;
        }
        if (waiting != null) {
            waiting.cancel(false);
        }
        if (held != null) {
            held.close();
        }
    }

    /** Makes a {@link LeaderElection}. */
    public static final class Builder {
        private final Leases leases;
        private final Key key;
        private AcquireOptions options = AcquireOptions.defaults();
        private Consumer<Lease> onElected = lease -> {};
        private Consumer<LostReason> onLost = reason -> {};
        private Consumer<Throwable> onFailed = error -> {};

        private Builder(Leases leases, Key key) {
            this.leases = leases;
            this.key = key;
        }

        public Builder options(AcquireOptions newOptions) {
            options = newOptions;
            return this;
        }

        public Builder onElected(Consumer<Lease> callback) {
            onElected = callback;
            return this;
        }

        public Builder onLost(Consumer<LostReason> callback) {
            onLost = callback;
            return this;
        }

        /**
         * Called when contending fails, for a store in trouble, a key that is done, or an {@code onElected} that threw.
         * It goes on trying, unless the client was closed.
         */
        public Builder onFailed(Consumer<Throwable> callback) {
            onFailed = callback;
            return this;
        }

        /** Begins to contend. */
        public LeaderElection start() {
            LeaderElection election = new LeaderElection(this);
            election.contend();
            return election;
        }
    }
}
