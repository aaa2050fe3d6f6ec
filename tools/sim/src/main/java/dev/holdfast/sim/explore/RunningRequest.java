package dev.holdfast.sim.explore;

import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client, in the states of the pipeline's requests.
 *
 * @param begun its place in the order of questions and answers: only answers to later questions may refuse it
 * @param send the send whose answer it waits for
 * @param asked the place of that send
 * @param then the request that continues when this one is over; null if there is none
 */
record RunningRequest(
        int key,
        LeaseRequest request,
        long begun,
        Phase phase,
        long send,
        long asked,
        @Nullable RunningRequest then) {
    /** What the request waits for. */
    sealed interface Phase {
        /** The answer to a read. */
        record Reading(int key) implements Phase {}

        /**
         * The answer to a change.
         *
         * @param replaced the entry that the change is to replace; null if there is none
         * @param inDoubt whether a send of it may have been applied, or may yet be
         */
        record Writing(
                Change change, @Nullable Entry replaced, ClockReading firstSent, ClockReading lastSent, boolean inDoubt)
                implements Phase {}

        /** The answer to a bar: the request was given up, and must never take effect later. */
        record Barring(Writing given, Change bar) implements Phase {}
    }

    RunningRequest waiting(Phase newPhase, long newSend, long newAsked) {
        return new RunningRequest(key, request, begun, newPhase, newSend, newAsked, then);
    }
}
