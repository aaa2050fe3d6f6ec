package dev.holdfast.dynamodb;

/** What becomes of a request on its way. */
enum Trouble {
    NONE,
    /** The service refuses it, for now. */
    THROTTLED,
    /** The service fails before it did anything. */
    FAILED_BEFORE,
    /** The service fails after it did everything. */
    FAILED_AFTER,
    /** It is lost. */
    LOST,
    /** Its answer is lost. */
    ANSWER_LOST,
    /** The sender gives up; it arrives when {@link Way#deliverLate} says so. */
    LATE
}
