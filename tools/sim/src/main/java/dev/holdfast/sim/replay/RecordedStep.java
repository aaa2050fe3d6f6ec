package dev.holdfast.sim.replay;

import java.util.List;
import java.util.Locale;

/**
 * One step of a recorded run.
 *
 * @param lane the process that it concerns
 * @param keys the keys that it concerns; empty if it concerns all
 * @param message the number of the message that it belongs to; 0 if none
 * @param caption the step in plain English
 */
record RecordedStep(long atNanos, String lane, StepKind kind, List<String> keys, long message, String caption) {
    RecordedStep {
        keys = List.copyOf(keys);
    }

    /** The kind of a step. */
    enum StepKind {
        /** A call of the client, or its result. */
        CALL,
        MESSAGE,
        /** A change of the store. */
        STORE,
        /** The begin or the end of a term, by the clock of its holder. */
        TERM,
        FAULT,
        VIOLATION;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
