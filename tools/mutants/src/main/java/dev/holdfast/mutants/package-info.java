/**
 * Mutation tests of core: each mutant is core with one small change, and a test must fail on it. {@link
 * dev.holdfast.mutants.MutantGate} is the program.
 */
@NullMarked
package dev.holdfast.mutants;

import org.jspecify.annotations.NullMarked;
