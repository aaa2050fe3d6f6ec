package dev.holdfast.judges.linear;

import dev.holdfast.judges.JudgedViolation;

/** The verdict about one key. */
public sealed interface KeyVerdict {
    /** An order of its calls exists. */
    record Linearizable() implements KeyVerdict {}

    /** No order of its calls exists. */
    record Violated(JudgedViolation violation) implements KeyVerdict {}

    /** The search reached its bound. */
    record Undecided() implements KeyVerdict {}
}
