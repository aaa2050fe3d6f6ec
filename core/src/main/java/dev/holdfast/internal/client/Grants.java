package dev.holdfast.internal.client;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Lease;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.ClosedException;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Requests;
import dev.holdfast.internal.rules.Belief.Tenure;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.LeaseLostException;
import dev.holdfast.model.Power;
import dev.holdfast.model.Term;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes leases of grants, has them looked after, and knows all that this client still holds. */
final class Grants {
    private final Requests requests;
    private final KeepAlive keepAlive;
    private final boolean background;
    private final Set<HeldLease> held = new LinkedHashSet<>();
    private boolean closed;

    Grants(Requests requests, boolean background) {
        this.requests = requests;
        this.background = background;
        this.keepAlive = new KeepAlive(requests.runtime(), background);
    }

    /** A wait as a count of nanoseconds that nothing overflows. */
    static long waitNanos(Duration wait) {
        if (wait.isNegative()) {
            throw Check.bad("wait", wait, ">= PT0S");
        }
        return Check.cappedNanos(wait);
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
            throw new ClosedException();
        }
    }

    /** The token after the next renewal, in layouts where it changes; null elsewhere. */
    @Nullable
    Token nextSuccessor() {
        boolean lasts = requests.abilities().has(Power.LASTING_TOKEN);
        return lasts ? null : Token.of(requests.runtime().randomId());
    }

    /** The anchor that the options name; null if none. */
    @Nullable
    AnchorLease ownAnchor(AcquireOptions options) {
        if (options.anchor().isEmpty()) {
            return null;
        }
        if (options.anchor().get() instanceof AnchorLease anchor && anchor.requests == requests) {
            return anchor;
        }
        throw Check.bad("anchor", options.anchor().get(), "an anchor of the same client");
    }

    /** The lease of a grant. */
    Lease granted(Answer.Applied applied, Request.Acquire request, HeldLease.Terms terms) {
        Entry entry = requireNonNull(applied.entry());
        AnchorLease anchor = terms.anchor();
        HeldLease.Terms kept = new HeldLease.Terms(terms.autoRenew() && background && anchor == null, anchor);
        HeldLease lease = new HeldLease(requests, keepAlive, entry, request, tenure(applied, request), kept);
        if (anchor != null && !anchor.adopt(lease)) {
            // The anchor ended while this was under way: it is not to be believed.
            lease.releaseAsync();
            throw new LeaseLostException(anchor.key(), anchor.lostReason());
        }
        if (anchor == null) {
            lookAfter(lease);
        }
        requests.listener().onGranted(entry.key(), entry.fence());
        return lease;
    }

    /** The anchor of a grant. */
    AnchorLease anchored(Answer.Applied applied, Request.Acquire request) {
        Entry entry = requireNonNull(applied.entry());
        HeldLease.Terms terms = new HeldLease.Terms(background, null);
        AnchorLease anchor = new AnchorLease(requests, keepAlive, entry, request, tenure(applied, request), terms);
        lookAfter(anchor);
        requests.listener().onGranted(entry.key(), entry.fence());
        return anchor;
    }

    private Tenure tenure(Answer.Applied applied, Request.Acquire request) {
        Term term = countedTerm(request.term(), applied.entry());
        return requests.belief().tenure(term, applied.firstSent(), applied.lastSent(), applied.answered());
    }

    /**
     * The term that a holder counts: the one it asked for, or the one that is stored if that is shorter. Another process
     * that has the token may have renewed the lease with a shorter one, and all others go by what is stored.
     */
    static Term countedTerm(Term asked, @Nullable Entry stored) {
        Grant grant = stored == null ? null : stored.grant();
        return grant != null && grant.term().duration().compareTo(asked.duration()) < 0 ? grant.term() : asked;
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
        requests.endWaiting();
        return CompletableFuture.allOf(leases.stream().map(Grants::release).toArray(CompletableFuture[]::new));
    }

    /** One lease that cannot be released must not keep the others from it. */
    private static CompletableFuture<Boolean> release(HeldLease lease) {
        try {
            return lease.releaseAsync().toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
