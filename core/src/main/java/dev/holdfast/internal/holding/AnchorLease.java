package dev.holdfast.internal.holding;

import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.LostReason;
import dev.holdfast.internal.pipeline.LeaseRequests;
import dev.holdfast.internal.rules.LeaseRequest;
import dev.holdfast.internal.rules.ValidityRules.Tenure;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A lease on this process's own name, and the leases that live and die with it. */
public final class AnchorLease extends HeldLease implements Anchor {
    private final Set<HeldLease> children = new LinkedHashSet<>();

    AnchorLease(
            LeaseRequests leaseRequests,
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
    public CompletionStage<Void> doneAsync(AttributePatch patch) {
        throw new UnsupportedOperationException(
                key() + ": an anchor is never done, or its name could not be used again");
    }

    /** Takes a lease in; false if this has ended, and the lease with it. */
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

    /** Whoever closes the anchor stops believing in its leases first; the write that frees it comes after. */
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
