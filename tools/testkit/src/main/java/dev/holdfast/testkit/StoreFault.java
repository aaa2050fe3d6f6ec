package dev.holdfast.testkit;

import dev.holdfast.StoreException;

/** What a {@link FaultyStore} does to a call. */
public enum StoreFault {
    /** Nothing: the call goes through. */
    NONE,
    /** Fails before anything is applied, and says so: {@code NOT_APPLIED}, retryable. */
    FAIL,
    /** The store will not take this, now or later: {@code NOT_APPLIED}, not retryable. */
    REJECT,
    /** The request is lost: {@code UNKNOWN}, and not applied. */
    LOSE_REQUEST,
    /** The answer is lost: {@code UNKNOWN}, but applied. */
    LOSE_ANSWER,
    /** The request is on its way for long: {@code UNKNOWN}, and applied when the test says {@code deliverLate()}. */
    DELIVER_LATE,
    /** The store throws what no store should: an {@link IllegalStateException}; not applied. */
    CRASH;

    RuntimeException exception() {
        return switch (this) {
            case FAIL -> StoreException.notApplied("faulty: " + this, null);
            case REJECT -> StoreException.rejected("faulty: " + this, null);
            case LOSE_REQUEST, LOSE_ANSWER, DELIVER_LATE -> StoreException.unknown("faulty: " + this, null);
            case CRASH -> new IllegalStateException("faulty: " + this);
            case NONE -> throw new AssertionError(this);
        };
    }
}
