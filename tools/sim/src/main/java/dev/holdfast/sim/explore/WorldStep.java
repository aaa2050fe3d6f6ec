package dev.holdfast.sim.explore;

/**
 * One step of a schedule, and the state that it leads to.
 *
 * @param story the step in words
 * @param violation the invariant that the step violates; empty if it violates none
 */
record WorldStep(String story, WorldState world, String violation) {}
