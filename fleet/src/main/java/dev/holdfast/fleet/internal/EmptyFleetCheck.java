package dev.holdfast.fleet.internal;

import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseStatus;
import dev.holdfast.internal.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, once, when a worker has joined a fleet for which no units were created: a misspelt name would else look like a fleet
 * that has nothing to do. Creating units may as well come later, so it is no failure.
 */
final class EmptyFleetCheck {
    private static final Logger log = LoggerFactory.getLogger(dev.holdfast.fleet.Fleet.class);

    private final Setup setup;
    private final Post post;

    EmptyFleetCheck(Setup setup, Post post) {
        this.setup = setup;
        this.post = post;
    }

    /** Costs one read where units were created not long ago, as that leaves a mark; else the units are listed. */
    void look() {
        CompletionStage<Boolean> looking =
                Attempt.of(() -> setup.async().get(setup.names().mark()).thenCompose(this::isEmpty));
        // If it fails then so do the polls, and they report it.
        Futures.whenDone(looking, (empty, error) -> {
            if (Boolean.TRUE.equals(empty)) {
                post.run(this::report);
            }
        });
    }

    private CompletionStage<Boolean> isEmpty(Optional<LeaseStatus> mark) {
        if (mark.isPresent()) {
            return CompletableFuture.completedFuture(false);
        }
        boolean[] any = new boolean[1];
        LeaseFilter units = LeaseFilter.namespacePrefix(setup.names().units());
        return Walk.over(setup.async(), units, status -> any[0] |= UnitInfo.isUnit(status))
                .thenApply(nothing -> !any[0]);
    }

    void report() {
        String fleet = setup.names().fleet();
        log.warn("fleet {} has no units yet, so {} has nothing to do: is the name right?", fleet, setup.worker());
        post.tell(() -> setup.listener().onNoUnits(fleet));
    }
}
