package dev.holdfast.fleet.internal.worker;

import dev.holdfast.fleet.FleetHealth;
import dev.holdfast.fleet.Unit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A participant of a fleet: a worker with or without a planner. */
public interface FleetParticipant {
    /** Completes when the worker has joined; fails if it cannot join. */
    CompletableFuture<Void> join();

    /** Completes when all units are handed over, or the deadline has passed. Idempotent. */
    CompletableFuture<Void> leave();

    List<Unit> held();

    FleetHealth health();
}
