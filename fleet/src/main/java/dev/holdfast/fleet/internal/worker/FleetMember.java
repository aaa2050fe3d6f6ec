package dev.holdfast.fleet.internal.worker;

import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.Unit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A worker's part in a fleet. */
public interface FleetMember {
    /** Done when it is in; fails if it cannot get in. */
    CompletableFuture<Void> join();

    /** Done when everything is handed over, or the deadline has passed. Idempotent. */
    CompletableFuture<Void> leave();

    List<Unit> held();

    FleetHealth health();
}
