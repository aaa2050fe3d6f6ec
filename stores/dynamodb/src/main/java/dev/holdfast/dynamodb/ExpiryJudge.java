package dev.holdfast.dynamodb;

/** Basis for judging whether a lease has expired. */
enum ExpiryJudge {
    /** A beat that this process saw unchanged for a whole term, by its own ticker. Needs no correct clock. */
    OBSERVATION,
    /**
     * The time that the holder wrote beside its beat, if its clock and ours are both known to be near the service's.
     */
    STAMP
}
