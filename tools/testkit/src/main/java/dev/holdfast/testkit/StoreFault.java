package dev.holdfast.testkit;

import dev.holdfast.StoreException;

/** The faults that a {@link FaultyStore} can inject into a call. */
public enum StoreFault {
    /** No fault: the call goes through. */
    NONE,
    /** The call fails before anything is applied: {@code NOT_APPLIED}, retryable. */
    FAIL,
    /** The store rejects the request for good: {@code NOT_APPLIED}, not retryable. */
    REJECT,
    /** The request is lost: {@code UNKNOWN}, and not applied. */
    LOSE_REQUEST,
    /** The response is lost: {@code UNKNOWN}, but applied. */
    LOSE_ANSWER,
    /** The request is delayed: {@code UNKNOWN}, and applied when the test calls {@code deliverLate()}. */
    DELIVER_LATE,
    /** The store throws an exception that no store should throw, {@link IllegalStateException}; not applied. */
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
