package dev.holdfast;

import dev.holdfast.service.LeaseService;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A contender for a key, for as long as it is open. Once elected it runs the work of the leader on its own thread:
 *
 * <pre>{@code
 * LeaderElection election = LeaderElection.of(leases, Key.of("scheduler")).lead(lease -> {
 *     while (lease.isHeld()) {
 *         scheduleNext(lease.fence());
 *     }
 * });
 * }</pre>
 *
 * <p>The thread is interrupted when the lease is lost. When the work ends (it returns, throws, loses or releases its lease), the
 * election releases the lease and contends again. The work of one leadership has ended before that of the next begins. Work that
 * must not act past its term checks {@link Lease#isHeld} before it acts, and passes {@link Lease#fence} on.
 *
 * <p>Thread-safe. Close it before its client.
 */
public final class LeaderElection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);

    /** The wait is renewed at intervals, so that no wait is unbounded. */
    private static final Duration ROUND = Duration.ofMinutes(10);
    /** After work that returned at once, so that it does not acquire and release without a pause. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Leases leases;
    private final HostEnvironment environment;
    private final Key key;
    private final AcquireOptions options;
    private final Consumer<Throwable> onFailed;
    private final Work work;
    private State state = new Resting(() -> {});

    private LeaderElection(Builder from, Work work) {
        this.leases = from.leases;
        this.environment = LeaseService.of(leases).environment();
        this.key = from.key;
        this.options = from.options;
        this.onFailed = from.onFailed;
        this.work = work;
    }

    public static Builder of(Leases leases, Key key) {
        return new Builder(leases, key);
    }

    /** The work of the leader. */
    @FunctionalInterface
    public interface Work {
        /** Leads until it returns; interrupted when the lease is lost or the election is closed. */
        void lead(Lease lease) throws Exception;
    }

    /** Resting, contending and leading follow one another, until it is closed. Replaced under the lock only. */
    private sealed interface State {}

    /** Waits for the next attempt. */
    private record Resting(HostEnvironment.Timer timer) implements State {}

    /**
     * Waits to be elected.
     *
     * @param left completed by {@link #close}
     */
    private record Contending(CompletableFuture<Void> left) implements State {}

    /** @param last the leadership that was ended by this; null if there was none */
    private record Closed(@Nullable Leading last) implements State {}

    /** One leadership. */
    private static final class Leading implements State {
        final Lease lease;
        /** Done when the work has ended and the lease was released. */
        final CompletableFuture<Void> over = new CompletableFuture<>();

        private HostEnvironment.@Nullable Task task;
        private @Nullable Thread worker;
        private boolean interrupted;

        Leading(Lease lease) {
            this.lease = lease;
        }

        synchronized void started(HostEnvironment.Task newTask) {
            task = newTask;
            if (interrupted) {
                newTask.interrupt();
            }
        }

        synchronized void begin() {
            worker = Thread.currentThread();
        }

        /** After this the thread is not interrupted any more. Returns whether it was to be interrupted. */
        synchronized boolean end() {
            task = null;
            worker = null;
            return interrupted;
        }

        synchronized boolean isOnThisThread() {
            return worker == Thread.currentThread();
        }

        synchronized void interrupt() {
            interrupted = true;
            if (task != null) {
                task.interrupt();
            }
        }
    }

    /** The lease of the current leadership; empty if this does not lead. */
    public Optional<Lease> leading() {
        return current() instanceof Leading now && now.lease.isHeld() ? Optional.of(now.lease) : Optional.empty();
    }

    private synchronized State current() {
        return state;
    }

    public boolean isLeader() {
        return leading().isPresent();
    }

    /** The next state, if it is still in the one before. */
    private synchronized boolean move(State from, State to) {
        boolean unchanged = state == from;
        if (unchanged) {
            state = to;
        }
        return unchanged;
    }

    private void contend(State from) {
        Contending contending = new Contending(new CompletableFuture<>());
        if (!move(from, contending)) {
            return;
        }
        CompletableFuture<AcquireResult> asked;
        try {
            asked = leases.async().acquire(key, options, ROUND).toCompletableFuture();
        } catch (IllegalStateException e) {
            // The client was closed before this was.
            move(contending, new Closed(null));
            report(e);
            return;
        }
        Futures.whenDone(contending.left(), (result, error) -> asked.cancel(false));
        Futures.whenDone(asked, (result, error) -> decided(contending, result, error));
    }

    private void decided(Contending contending, @Nullable AcquireResult result, @Nullable Throwable error) {
        if (result instanceof AcquireResult.Granted granted) {
            elected(contending, granted.lease());
        } else if (result instanceof AcquireResult.Done done) {
            failed(contending, new NotGrantedException(done));
        } else if (error != null) {
            failed(contending, Futures.cause(error));
        } else {
            contend(contending);
        }
    }

    private void elected(Contending contending, Lease lease) {
        Leading leading = new Leading(lease);
        if (!move(contending, leading)) {
            giveBack(leading);
            return;
        }
        lease.onLost(reason -> leading.interrupt());
        try {
            leading.started(environment.start("holdfast-leader", () -> lead(leading)));
        } catch (RuntimeException | Error e) {
            // For example, there is no memory for a thread: another contender may have some.
            giveBack(leading);
            failed(leading, e);
        }
    }

    private void lead(Leading leading) {
        Throwable failure = null;
        leading.begin();
        try {
            work.lead(leading.lease);
        } catch (Throwable e) {
            failure = e;
        }
        boolean interrupted = leading.end();
        // This may be the only thread of the environment: it must not stay interrupted.
        boolean unused = Thread.interrupted();
        giveBack(leading);
        if (failure != null && !(interrupted && failure instanceof InterruptedException)) {
            failed(leading, failure);
        } else if (interrupted) {
            contend(leading);
        } else {
            rest(leading, shorter(PAUSE, retryPause()));
        }
    }

    private void giveBack(Leading leading) {
        Futures.whenDone(leading.lease.releaseAsync(), (released, error) -> {
            if (error != null) {
                log.warn("{}: the leader's lease was not released; it ends with its term", key, error);
            }
            leading.over.complete(null);
        });
    }

    private void failed(State from, Throwable failure) {
        if (rest(from, retryPause())) {
            report(failure);
        }
    }

    private boolean rest(State from, Duration pause) {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        Resting resting = new Resting(() -> cancelled.complete(null));
        if (!move(from, resting)) {
            return false;
        }
        HostEnvironment.Timer timer = environment.schedule(pause, () -> contend(resting));
        Futures.whenDone(cancelled, (nothing, error) -> timer.cancel());
        return true;
    }

    private Duration retryPause() {
        return options.term().dividedBy(3);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void report(Throwable failure) {
        environment.execute(() -> onFailed.accept(failure));
    }

    /**
     * Stops contending; if this leads, interrupts the work and releases the lease when the work has ended, or a third of
     * the term later if it does not end. Waits for that, except inside the work itself and inside a callback of an
     * asynchronous call, where it returns at once. Idempotent.
     */
    @Override
    public void close() {
        State before;
        synchronized (this) {
            before = state;
            if (!(before instanceof Closed)) {
                state = new Closed(before instanceof Leading leading ? leading : null);
            }
        }
        if (before instanceof Contending contending) {
            contending.left().complete(null);
        } else if (before instanceof Resting resting) {
            resting.timer().cancel();
        } else if (before instanceof Leading leading) {
            stop(leading);
            awaitRelease(leading);
        } else if (before instanceof Closed closed && closed.last() != null) {
            awaitRelease(closed.last());
        }
    }

    private void stop(Leading leading) {
        if (!leading.lease.isHeld()) {
            leading.over.complete(null); // Nothing to release, so nothing to wait for.
        }
        if (!leading.isOnThisThread()) {
            leading.interrupt();
            HostEnvironment.Timer patience = environment.schedule(retryPause(), () -> giveBack(leading));
            Futures.whenDone(leading.over, (nothing, error) -> patience.cancel());
        }
    }

    private void awaitRelease(Leading leading) {
        if (!leading.isOnThisThread() && !CallbackThread.isUnderWay()) {
            BlockingCalls.uninterruptibly(environment, () -> leading.over);
        }
    }

    /** Makes a {@link LeaderElection}. */
    public static final class Builder {
        private final Leases leases;
        private final Key key;
        private AcquireOptions options = AcquireOptions.defaults();
        private Consumer<Throwable> onFailed = error -> {};

        private Builder(Leases leases, Key key) {
            this.leases = leases;
            this.key = key;
        }

        public Builder options(AcquireOptions newOptions) {
            options = newOptions;
            return this;
        }

        /**
         * Called when the election fails for now: the store failed, the key is done, or the work threw. The election goes on,
         * unless the client was closed.
         */
        public Builder onFailed(Consumer<Throwable> callback) {
            onFailed = callback;
            return this;
        }

        /** Begins to contend; {@code work} runs each time this is elected. */
        public LeaderElection lead(Work work) {
            LeaderElection election = new LeaderElection(this, work);
            election.contend(election.state);
            return election;
        }
    }
}
