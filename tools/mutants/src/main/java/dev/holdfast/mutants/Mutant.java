package dev.holdfast.mutants;

/**
 * One change of core, and its fate.
 *
 * @param packageName of the changed class, for the score
 * @param line the number of the changed line; no part of the site, as it changes with every edit above it
 */
record Mutant(String packageName, MutantSite site, int line, MutantFate fate) {}
