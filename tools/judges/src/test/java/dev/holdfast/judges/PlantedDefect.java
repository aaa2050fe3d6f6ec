package dev.holdfast.judges;

/** A defect of a simulated store, which the judge should find in its history. */
enum PlantedDefect {
    NONE,
    /** Grants a key although its lease has not expired. */
    DOUBLE_GRANT,
    /** Grants a key with the fence of the last grant. */
    REPEATED_FENCE,
    /** Acknowledges an update that it does not keep. */
    LOST_UPDATE,
    /** Acknowledges a done that it does not keep. */
    LOST_DONE,
    /** Refuses a free key as held. */
    REFUSED_THOUGH_FREE
}
