package dev.holdfast.internal.client;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Lease;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Engine;
import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes leases of grants, has them looked after, and knows all that this client still holds. */
final class Grants {
    /** As good as for ever, and far from overflowing a count of nanoseconds. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

    private final Engine engine;
    private final KeepAlive keepAlive;
    private final boolean background;
    private final Set<HeldLease> held = new LinkedHashSet<>();
    private boolean closed;

    Grants(Engine engine, boolean background) {
        this.engine = engine;
        this.background = background;
        this.keepAlive = new KeepAlive(engine.runtime(), background);
    }

    /** A wait as a count of nanoseconds that nothing overflows. */
    static long waitNanos(Duration wait) {
        if (wait.isNegative()) {
            throw Check.bad("wait", wait, ">= PT0S");
        }
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait.toNanos() : LONGEST_WAIT.toNanos();
    }

    static IllegalArgumentException reserved(Key key) {
        return Check.bad(
                "namespace",
                key.namespace(),
                "one that does not begin with " + Key.RESERVED_PREFIX + ", as those are Holdfast's");
    }

    static void requireMayBeDone(Key key) {
        if (key.isAnchor()) {
            throw Check.bad("key", key, "not an anchor, as an anchor is never done");
        }
    }

    synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
    }

    /** The anchor that the options name; null if none. */
    @Nullable
    AnchorLease ownAnchor(AcquireOptions options) {
        if (options.anchor().isEmpty()) {
            return null;
        }
        if (options.anchor().get() instanceof AnchorLease anchor && anchor.engine == engine) {
            return anchor;
        }
        throw Check.bad("anchor", options.anchor().get(), "an anchor of the same client");
    }

    /** The lease of a grant. */
    Lease granted(Answer.Applied applied, Request.Acquire request, HeldLease.Terms terms) {
        Entry entry = requireNonNull(applied.entry());
        AnchorLease anchor = terms.anchor();
        HeldLease.Terms kept = new HeldLease.Terms(terms.autoRenew() && background && anchor == null, anchor);
        HeldLease lease = new HeldLease(engine, keepAlive, entry, request, tenure(applied, request), kept);
        if (anchor != null && !anchor.adopt(lease)) {
            // The anchor ended while this was under way: it is not to be believed.
            lease.releaseAsync();
            throw new LeaseLostException(anchor.key(), anchor.lostReason());
        }
        if (anchor == null) {
            lookAfter(lease);
        }
        engine.listener().onGranted(entry.key(), entry.fence());
        return lease;
    }

    /** The anchor of a grant. */
    AnchorLease anchored(Answer.Applied applied, Request.Acquire request) {
        Entry entry = requireNonNull(applied.entry());
        HeldLease.Terms terms = new HeldLease.Terms(background, null);
        AnchorLease anchor = new AnchorLease(engine, keepAlive, entry, request, tenure(applied, request), terms);
        lookAfter(anchor);
        engine.listener().onGranted(entry.key(), entry.fence());
        return anchor;
    }

    private Tenure tenure(Answer.Applied applied, Request.Acquire request) {
        return engine.book()
                .belief()
                .tenure(request.term(), applied.firstSent(), applied.lastSent(), applied.answered());
    }

    private void lookAfter(HeldLease lease) {
        boolean tooLate;
        synchronized (this) {
            tooLate = closed;
            held.add(lease);
        }
        if (tooLate) {
            lease.releaseAsync();
            throw new IllegalStateException("the client is closed");
        }
        lease.whenEnded(() -> forget(lease));
        keepAlive.plan(lease);
    }

    private synchronized void forget(HeldLease lease) {
        held.remove(lease);
    }

    /** Ends every lease; done when the store has answered for all of them, or failed for some. */
    CompletableFuture<Void> releaseAll() {
        List<HeldLease> leases;
        synchronized (this) {
            closed = true;
            leases = new ArrayList<>(held);
        }
        // Or what is released would be handed over to those who wait here, and are about to end too.
        engine.endWaiting();
        return CompletableFuture.allOf(leases.stream()
                .map(lease -> lease.releaseAsync().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }
}
