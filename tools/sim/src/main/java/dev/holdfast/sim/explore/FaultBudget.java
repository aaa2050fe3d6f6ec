package dev.holdfast.sim.explore;

/** What may still happen in a world, so that it is finite. */
record FaultBudget(int operations, int timeSteps, int lost, int doubled, int crashes, int evictions) {
    static FaultBudget of(WorldBounds bounds) {
        return new FaultBudget(
                bounds.operations(),
                bounds.timeSteps(),
                bounds.lost(),
                bounds.doubled(),
                bounds.crashes(),
                bounds.evictions());
    }

    FaultBudget afterOperation(boolean isEviction) {
        return new FaultBudget(operations - 1, timeSteps, lost, doubled, crashes, evictions - (isEviction ? 1 : 0));
    }

    FaultBudget afterTime() {
        return new FaultBudget(operations, timeSteps - 1, lost, doubled, crashes, evictions);
    }

    FaultBudget afterLoss() {
        return new FaultBudget(operations, timeSteps, lost - 1, doubled, crashes, evictions);
    }

    FaultBudget afterDoubling() {
        return new FaultBudget(operations, timeSteps, lost, doubled - 1, crashes, evictions);
    }

    FaultBudget afterCrash() {
        return new FaultBudget(operations, timeSteps, lost, doubled, crashes - 1, evictions);
    }

    /** For the hash of a state. */
    long asNumber() {
        return ((((operations * 32L + timeSteps) * 32 + lost) * 32 + doubled) * 32 + crashes) * 32 + evictions;
    }
}
