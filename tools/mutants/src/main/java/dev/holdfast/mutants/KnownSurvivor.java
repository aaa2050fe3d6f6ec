package dev.holdfast.mutants;

/**
 * A survivor with its explanation.
 *
 * @param explanation the reason why no test fails
 */
record KnownSurvivor(MutantSite site, Kind kind, String explanation) {
    /** The kinds of explanations. */
    enum Kind {
        /** The mutant behaves exactly as the original. */
        EQUIVALENT,
        /** The mutant only costs time or memory, or does work twice. */
        COST,
        /** The mutant only has another message. */
        MESSAGE,
        /** The mutant differs only in a race, so that a test fails now and then. It is not reported as killed. */
        CHANCE,
        /** A test is missing. */
        GAP
    }
}
