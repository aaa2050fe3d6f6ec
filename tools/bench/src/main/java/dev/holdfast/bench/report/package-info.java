/** The figures of a comparison, as a table, a file and a plot. */
@NullMarked
package dev.holdfast.bench.report;

import org.jspecify.annotations.NullMarked;
