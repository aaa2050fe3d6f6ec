package dev.holdfast.spring.tracking;

import dev.holdfast.AcquireResult;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases that one client holds now, and the keys that it waits for.
 *
 * <p>Leases are referenced weakly, because the client itself notices leases that the application lost sight of. Ended leases
 * are removed in sweeps, so that a short lease costs no search.
 */
public final class HeldLeaseRegistry {
    /** Below this a sweep is not worth its time; above it, a sweep runs when the number has doubled. */
    private static final int SWEEP_AT_LEAST = 1_000;

    private final Set<WeakReference<Lease>> held = ConcurrentHashMap.newKeySet();
    private final Set<WaitingAcquire> waiting = ConcurrentHashMap.newKeySet();
    private volatile int sweepAt = SWEEP_AT_LEAST;

    /** A call that waits for a key. Not a record: two calls may begin at the same time for the same key. */
    public static final class WaitingAcquire {
        private final Key key;
        private final Instant since = Instant.now();
        private final Duration wait;

        private WaitingAcquire(Key key, Duration wait) {
            this.key = key;
            this.wait = wait;
        }

        public Key key() {
            return key;
        }

        public Instant since() {
            return since;
        }

        public Duration waitFor() {
            return wait;
        }
    }

    WaitingAcquire began(Key key, Duration wait) {
        WaitingAcquire call = new WaitingAcquire(key, wait);
        waiting.add(call);
        return call;
    }

    void ended(WaitingAcquire call) {
        waiting.remove(call);
    }

    void answered(@Nullable AcquireResult result) {
        if (result instanceof AcquireResult.Granted granted) {
            add(granted.lease());
        }
    }

    void add(Lease lease) {
        held.add(new WeakReference<>(lease));
        if (held.size() > sweepAt) {
            sweep();
        }
    }

    private synchronized void sweep() {
        if (held.size() > sweepAt) {
            held.removeIf(reference -> !isHeld(reference.get()));
            sweepAt = Math.max(SWEEP_AT_LEAST, 2 * held.size());
        }
    }

    private static boolean isHeld(@Nullable Lease lease) {
        return lease != null && lease.isHeld();
    }

    /** The leases that are held now, by key. */
    public List<Lease> held() {
        return held.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .filter(Lease::isHeld)
                .sorted(Comparator.comparing(Lease::key))
                .toList();
    }

    /** The calls that wait for a key now, the oldest first. */
    public List<WaitingAcquire> waiting() {
        return waiting.stream()
                .sorted(Comparator.comparing(WaitingAcquire::since))
                .toList();
    }

    /**
     * The leases at risk: less than a third of the term is left. A lease is renewed after the first third, so at least one
     * renewal has failed or has had no answer for a third of the term.
     */
    public List<Lease> atRisk() {
        return held().stream().filter(HeldLeaseRegistry::isAtRisk).toList();
    }

    /** @see #atRisk() */
    public static boolean isAtRisk(Lease lease) {
        return lease.remaining().multipliedBy(3).compareTo(lease.term()) < 0;
    }
}
