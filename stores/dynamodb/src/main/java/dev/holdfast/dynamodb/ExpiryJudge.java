package dev.holdfast.dynamodb;

/** By what the silence of a holder is judged. */
enum ExpiryJudge {
    /** One beat that we saw stand still for a whole term, on our own ticker: needs no clock that is right. */
    OBSERVATION,
    /** The time that the holder wrote beside its beat, if its clock and ours are both known to be near the service's. */
    STAMP
}
