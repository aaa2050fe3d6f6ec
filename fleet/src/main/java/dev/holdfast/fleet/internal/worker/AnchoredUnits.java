package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import dev.holdfast.fleet.internal.units.WorkerClient;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The units of a worker as leases under its anchor, acquired with a limited number of requests in flight. Confined to
 * the worker's step loop.
 */
final class AnchoredUnits implements UnitLeaseSource {
    /** Far below the limits of a client's queues, and more than any store takes at once. */
    private static final int IN_FLIGHT_MAX = 1000;

    /** A wait for a unit is repeated after this time, so that no wait is unbounded. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    private final WorkerClient client;
    private final Map<String, String> labels;
    private final Set<String> queued = new LinkedHashSet<>();
    /** Those in flight, and some that are done. */
    private final Set<CompletableFuture<AcquireResult>> requests = new HashSet<>();

    private @Nullable AnchoredLeases anchoredLeases;
    private boolean expiring;
    private boolean leaving;

    /** @param labels the labels of the worker */
    AnchoredUnits(WorkerClient client, Map<String, String> labels) {
        this.client = client;
        this.labels = labels;
    }

    void joined(AnchoredLeases newLeases) {
        anchoredLeases = newLeases;
        expiring = false;
    }

    /** Notes that the anchor is lost or about to be released. */
    void left() {
        anchoredLeases = null;
    }

    /** Notes that two renewals of the anchor have failed. No work starts until one succeeds. */
    void expiring() {
        expiring = true;
    }

    /** Acquires no more units, because the worker is leaving. */
    void leaving() {
        leaving = true;
    }

    /** If there is no room for one more request, the unit is queued: see {@link #takeQueued}. */
    @Override
    public @Nullable CompletableFuture<AcquireResult> acquire(String unit) {
        AnchoredLeases under = anchoredLeases;
        if (under == null || !mayStart(under) || leaving) {
            return null;
        }
        if (!hasRoom()) {
            queued.add(unit);
            return null;
        }
        CompletableFuture<AcquireResult> request = Futures.contain(() -> client.async()
                .acquire(client.layout().unit(unit), under.options(), WAIT_MAX)
                .toCompletableFuture());
        requests.add(request);
        return request;
    }

    /** Also notes if a renewal has succeeded since {@link #expiring}. */
    private boolean mayStart(AnchoredLeases under) {
        Duration half = client.options().term().dividedBy(2);
        expiring &= under.anchor().remaining().compareTo(half) <= 0;
        return under.anchor().isHeld() && !expiring;
    }

    private boolean hasRoom() {
        if (requests.size() >= IN_FLIGHT_MAX) {
            requests.removeIf(CompletableFuture::isDone);
        }
        return requests.size() < IN_FLIGHT_MAX;
    }

    /** Returns the next queued unit for which there is room now; null if there is none. */
    @Nullable
    String takeQueued() {
        if (queued.isEmpty() || !hasRoom()) {
            return null;
        }
        String next = queued.iterator().next();
        queued.remove(next);
        return next;
    }

    /**
     * The grant of a unit that was deleted meanwhile would recreate it. Such a grant is released instead, and the key
     * is no longer a unit. A unit that requires other labels is left to other workers, whatever the plan says: it may be
     * the plan of an older version, or older than the labels of this worker.
     */
    @Override
    public GrantVerdict judge(Lease lease) {
        boolean isUnit = lease.attributes().get(UnitAttributes.UNIT).isPresent()
                && !UnitAttributes.isDeleting(lease.attributes());
        if (!isUnit) {
            return GrantVerdict.NOT_A_UNIT;
        }
        if (!UnitAttributes.requires(lease.attributes()).areMetBy(labels)) {
            return GrantVerdict.LACKS_LABELS;
        }
        return anchoredLeases != null && mayStart(anchoredLeases) ? GrantVerdict.START_WORK : GrantVerdict.RELEASE;
    }

    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return anchoredLeases == null
                ? CompletableFuture.completedFuture(null)
                : anchoredLeases.releaseStray(client.layout().unit(unit));
    }

    /** Zero: the anchor expires, not the unit. See {@link #expiring}. */
    @Override
    public Duration stopBeforeEnd() {
        return Duration.ZERO;
    }

    /** Long enough for the planner to read the report and assign the unit to another worker, if there is one. */
    @Override
    public Duration minBackoff() {
        return client.options().poll().plus(client.options().planEvery()).multipliedBy(3);
    }
}
