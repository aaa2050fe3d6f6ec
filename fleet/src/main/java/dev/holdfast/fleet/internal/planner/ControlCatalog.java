package dev.holdfast.fleet.internal.planner;

import dev.holdfast.fleet.ControlState;
import dev.holdfast.fleet.internal.control.ControlReader;
import dev.holdfast.fleet.internal.units.WorkerClient;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The orders of operators, listed only when they have changed: see {@link UnitCatalog}. */
final class ControlCatalog {
    private final ControlReader reader;
    private final MarkedListing markedListing;
    private ControlState state = ControlState.NONE;
    private long version;

    ControlCatalog(WorkerClient client) {
        this.reader = new ControlReader(client.async(), client.layout());
        this.markedListing = new MarkedListing(client, reader.keys().mark());
    }

    CompletionStage<MarkedListing.MarkState> readMark() {
        return markedListing.readMark();
    }

    CompletionStage<Void> refresh(MarkedListing.MarkState mark) {
        return markedListing.refresh(mark, () -> reader.read().thenAccept(this::replace));
    }

    private void replace(ControlState found) {
        if (!found.equals(state)) {
            state = found;
            version++;
        }
    }

    ControlState state() {
        return state;
    }

    /** Removes moves that are over. */
    void dropMoves(Collection<String> units) {
        Map<String, ControlState.UnitMove> moves = new HashMap<>(state.moves());
        if (moves.keySet().removeAll(units)) {
            replace(new ControlState(state.freeze(), state.paused(), state.drained(), moves));
        }
    }

    /** Returns the fence of the mark whose changes are all known; 0 if there is none. */
    long fence() {
        return markedListing.settledFence();
    }

    /** Returns a number that changes whenever the orders change. */
    long version() {
        return version;
    }
}
