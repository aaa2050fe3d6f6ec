package dev.holdfast.explanation;

import java.time.Duration;
import java.util.Optional;

/**
 * The earliest moment at which another client can be granted a key, unless its holder releases it before.
 *
 * @param in zero: now; empty: not before something else happens, or unknown
 * @param basis what {@code in} rests on
 */
public record EarliestGrant(Optional<Duration> in, Basis basis) {
    /** The evidence for the end of a lease. */
    public enum Basis {
        /** No lease is in the way. */
        FREE("no lease is in the way"),
        /** The store stamps renewals with a clock that all clients share. */
        STORE_CLOCK("the store's clock"),
        /** The store has no such clock: this process counts from when it first saw the last renewal. */
        OBSERVATION("observation by this process, which began to count when it first saw the last renewal"),
        /** The lease has an end that is stored, in the layout of another tool. */
        STORED_END("the end that is stored with the lease"),
        /** The key is done: it is granted again only after it was reopened. */
        DONE("the key is done"),
        /** The key is a unit of a fleet: its planner decides which worker gets it. */
        PLANNER("the planner of its fleet");

        private final String text;

        Basis(String text) {
            this.text = text;
        }

        /** The basis in words. */
        public String text() {
            return text;
        }
    }
}
