package dev.holdfast.dynamodb;

/** Fault that a request meets on its way. */
enum Trouble {
    NONE,
    /** The service temporarily rejects it. */
    THROTTLED,
    /** The service fails before it does anything. */
    FAILED_BEFORE,
    /** The service fails after it did everything. */
    FAILED_AFTER,
    /** The request is lost. */
    LOST,
    /** The response is lost. */
    ANSWER_LOST,
    /** The sender gives up; the request arrives on {@link Way#deliverLate}. */
    LATE
}
