package dev.holdfast.internal.holding;

import dev.holdfast.AttributePatch;
import dev.holdfast.LostReason;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.service.LeaseService;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The lease of this process on its own name, and the leases that are held through it and end with it. */
public final class AnchorLease extends HeldLease {
    private final Set<HeldLease> children = new LinkedHashSet<>();

    AnchorLease(
            LeaseService leaseRequests,
            RenewalTimer renewalTimer,
            Entry entry,
            LeaseRequest.Acquire granted,
            Tenure tenure,
            Terms terms) {
        super(leaseRequests, renewalTimer, entry, granted, tenure, terms);
    }

    public AnchorRef ref() {
        return new AnchorRef(key(), fence());
    }

    @Override
    CompletionStage<Void> done(AttributePatch patch, LeaseService through) {
        throw new UnsupportedOperationException(
                key() + ": an anchor is never done, or its name could not be used again");
    }

    /** Adds a lease that is held through this anchor; false if the anchor has ended, and the lease with it. */
    boolean adopt(HeldLease child) {
        synchronized (children) {
            children.add(child);
        }
        if (isHeld()) {
            return true;
        }
        forget(child);
        return false;
    }

    void forget(HeldLease child) {
        synchronized (children) {
            children.remove(child);
        }
    }

    /**
     * When this process closes the anchor, its leases end here first. The write that frees the anchor is sent after
     * that.
     */
    @Override
    void ended(@Nullable LostReason reason) {
        super.ended(reason);
        List<HeldLease> orphans;
        synchronized (children) {
            orphans = List.copyOf(children);
            children.clear();
        }
        orphans.forEach(child -> child.lose(reason == null ? LostReason.EVICTED : reason));
    }
}
