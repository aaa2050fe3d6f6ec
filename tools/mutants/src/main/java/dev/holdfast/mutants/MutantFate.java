package dev.holdfast.mutants;

/** The fate of a mutant, by the names that pitest gives. */
enum MutantFate {
    KILLED,
    /** A test did not end: the mutant loops, or waits for ever. */
    TIMED_OUT,
    MEMORY_ERROR,
    SURVIVED,
    /** No test runs the changed instruction. */
    NO_COVERAGE,
    /** The process ended without a result, which proves nothing about the tests. */
    RUN_ERROR,
    /** The changed class could not be loaded. */
    NON_VIABLE,
    NOT_STARTED,
    STARTED;

    boolean isDetected() {
        return this == KILLED || this == TIMED_OUT || this == MEMORY_ERROR;
    }

    boolean isUndetected() {
        return this == SURVIVED || this == NO_COVERAGE;
    }
}
