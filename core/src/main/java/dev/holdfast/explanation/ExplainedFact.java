package dev.holdfast.explanation;

/**
 * One fact of an explanation, for people.
 *
 * @param label one or two words, such as {@code assigned to}
 */
public record ExplainedFact(String label, String text) {}
