package dev.holdfast.bench.report;

/**
 * One measured figure.
 *
 * @param noise the share of the machine that other processes took meanwhile
 */
public record Figure(String load, String metric, String cell, String opponent, int round, double value, double noise) {}
