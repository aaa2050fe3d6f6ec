package dev.holdfast.fleet.internal.worker;

import dev.holdfast.AcquireResult;
import dev.holdfast.Lease;
import dev.holdfast.fleet.internal.execution.WorkerStepLoop;
import dev.holdfast.fleet.internal.units.AnchoredLeases;
import dev.holdfast.fleet.internal.units.FleetClient;
import dev.holdfast.fleet.internal.units.UnitAttributes;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The units of a worker as leases under its anchor, acquired with a limited number of requests in flight. Confined to
 * the worker's {@link WorkerStepLoop}.
 */
final class AnchoredUnits implements UnitLeaseSource {
    /** Far below the limits of a client's queues, and more than any store takes at once. */
    private static final int IN_FLIGHT_MAX = 1000;

    /** A wait for a unit is repeated after this time, so that no wait is unbounded. */
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    private final FleetClient client;
    private final WorkerStepLoop stepLoop;
    private final Set<String> queued = new LinkedHashSet<>();
    private @Nullable AnchoredLeases anchoredLeases;
    private boolean expiring;
    private boolean leaving;
    private int inFlight;

    AnchoredUnits(FleetClient client, WorkerStepLoop stepLoop) {
        this.client = client;
        this.stepLoop = stepLoop;
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

    /** Lets work start again if the anchor was renewed. */
    void noteRenewals() {
        Duration half = client.options().term().dividedBy(2);
        expiring &=
                anchoredLeases == null || anchoredLeases.anchor().remaining().compareTo(half) <= 0;
    }

    /** Acquires no more units, because the worker is leaving. */
    void leaving() {
        leaving = true;
    }

    @Override
    public boolean mayStart() {
        return anchoredLeases != null && anchoredLeases.anchor().isHeld() && !expiring;
    }

    /** If there is no room for one more request, the unit is queued: see {@link #takeQueued}. */
    @Override
    public boolean mayAcquire(String unit) {
        if (!mayStart() || leaving) {
            return false;
        }
        if (inFlight < IN_FLIGHT_MAX) {
            return true;
        }
        queued.add(unit);
        return false;
    }

    /** Returns the next queued unit for which there is room now; null if there is none. */
    @Nullable
    String takeQueued() {
        Iterator<String> waiting = queued.iterator();
        if (inFlight >= IN_FLIGHT_MAX || !waiting.hasNext()) {
            return null;
        }
        String next = waiting.next();
        waiting.remove();
        return next;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(String unit) {
        AnchoredLeases under = Objects.requireNonNull(anchoredLeases);
        inFlight++;
        return stepLoop.begin(() -> under.acquire(client.layout().unit(unit), WAIT_MAX), (result, error) -> inFlight--);
    }

    @Override
    public CompletionStage<Void> reclaim(String unit) {
        return anchoredLeases == null
                ? CompletableFuture.completedFuture(null)
                : anchoredLeases.releaseStray(client.layout().unit(unit));
    }

    /**
     * The grant of a unit that was deleted meanwhile would recreate it. Such a grant is released instead, and the key
     * is no longer a unit.
     */
    @Override
    public boolean isUnit(Lease lease) {
        return lease.attributes().get(UnitAttributes.UNIT).isPresent()
                && !UnitAttributes.isDeleting(lease.attributes());
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
