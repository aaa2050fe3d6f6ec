package dev.holdfast.internal.holding;

import static java.util.Objects.requireNonNull;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.StoreFeature;
import dev.holdfast.Token;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.ClientClosedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** All leases that this client holds. It makes them from grants, and has them renewed. */
public final class HeldLeases {
    private final LeaseService leaseRequests;
    private final RenewalTimer renewalTimer;
    private final boolean background;
    private final Set<HeldLease> held = new LinkedHashSet<>();
    private boolean closed;

    public HeldLeases(LeaseService leaseRequests, boolean background) {
        this.leaseRequests = leaseRequests;
        this.background = background;
        this.renewalTimer = new RenewalTimer(leaseRequests.environment(), background);
    }

    public synchronized void requireOpen() {
        if (closed) {
            throw new ClientClosedException();
        }
    }

    /** The token after the next renewal, in layouts where it changes; null elsewhere. */
    @Nullable
    public Token nextSuccessor() {
        boolean lasts = leaseRequests.features().has(StoreFeature.LASTING_TOKEN);
        return lasts ? null : Token.of(leaseRequests.environment().randomId());
    }

    /** The anchor that the options name; null if none. */
    @Nullable
    public AnchorLease ownAnchor(AcquireOptions options) {
        if (options.anchor().isEmpty()) {
            return null;
        }
        if (options.anchor().get() instanceof LeaseHandle handle
                && handle.held instanceof AnchorLease anchor
                && anchor.requests == leaseRequests) {
            return anchor;
        }
        throw ArgumentCheck.bad("anchor", options.anchor().get(), "an anchor of the same client");
    }

    /** The lease of a grant. */
    public Lease granted(Answer.Applied applied, LeaseRequest.Acquire request, HeldLease.Terms terms) {
        Entry entry = requireNonNull(applied.entry());
        AnchorLease anchor = terms.anchor();
        HeldLease.Terms kept = new HeldLease.Terms(terms.autoRenew() && background && anchor == null, anchor);
        HeldLease lease = new HeldLease(leaseRequests, renewalTimer, entry, request, tenure(applied, request), kept);
        if (anchor != null && !anchor.adopt(lease)) {
            // The anchor ended while the request was under way, so the lease is not valid.
            lease.release(leaseRequests);
            throw new LeaseLostException(anchor.key(), anchor.lostReason());
        }
        if (anchor == null) {
            keepRenewed(lease);
        }
        leaseRequests.listener().onGranted(entry.key(), entry.fence());
        LeaseHandle handle = new LeaseHandle(lease);
        if (kept.autoRenew() || anchor != null) {
            renewalTimer.unreachable().watch(handle);
        }
        return handle;
    }

    /** The anchor for a grant. */
    public Anchor anchored(Answer.Applied applied, LeaseRequest.Acquire request) {
        Entry entry = requireNonNull(applied.entry());
        HeldLease.Terms terms = new HeldLease.Terms(background, null);
        AnchorLease anchor =
                new AnchorLease(leaseRequests, renewalTimer, entry, request, tenure(applied, request), terms);
        keepRenewed(anchor);
        leaseRequests.listener().onGranted(entry.key(), entry.fence());
        LeaseHandle.OfAnchor handle = new LeaseHandle.OfAnchor(anchor);
        renewalTimer.unreachable().watch(handle);
        return handle;
    }

    private Tenure tenure(Answer.Applied applied, LeaseRequest.Acquire request) {
        Term term = countedTerm(request.term(), applied.entry());
        return leaseRequests.validity().tenure(term, applied.firstSent(), applied.lastSent(), applied.answered());
    }

    /**
     * The term that a holder counts: the one it requested, or the stored one if that is shorter. Another process that
     * has the token may have renewed the lease with a shorter term, and all others go by the stored one.
     */
    static Term countedTerm(Term requested, @Nullable Entry stored) {
        Grant grant = stored == null ? null : stored.grant();
        return grant != null && grant.term().duration().compareTo(requested.duration()) < 0 ? grant.term() : requested;
    }

    private void keepRenewed(HeldLease lease) {
        boolean tooLate;
        synchronized (this) {
            tooLate = closed;
            held.add(lease);
        }
        if (tooLate) {
            lease.release(leaseRequests);
            throw new IllegalStateException("the client is closed");
        }
        lease.whenEnded(() -> forget(lease));
        renewalTimer.plan(lease);
    }

    private synchronized void forget(HeldLease lease) {
        held.remove(lease);
    }

    /** Releases every lease. The future completes when the store has answered, or failed, for each of them. */
    public CompletableFuture<Void> releaseAll(LeaseService through) {
        List<HeldLease> leases;
        synchronized (this) {
            closed = true;
            leases = new ArrayList<>(held);
        }
        // Otherwise the released keys would be handed over to requests of this client, which are about to end too.
        leaseRequests.endWaiting();
        return CompletableFuture.allOf(
                leases.stream().map(lease -> release(lease, through)).toArray(CompletableFuture[]::new));
    }

    /** A lease that cannot be released must not prevent the release of the others. */
    private static CompletableFuture<Boolean> release(HeldLease lease, LeaseService through) {
        try {
            return lease.release(through).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
