package dev.holdfast.importing;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The destination of rows of another tool. Each is written by compare-and-set, and never over an entry that Holdfast
 * has changed. The same rows may be written any number of times, also by several processes at once.
 *
 * <p>A call ends when all of its rows are answered. It fails with {@link dev.holdfast.StoreException} if one of them
 * cannot be; then some rows may have been written, and writing them again is safe.
 */
public interface ImportTarget {
    /** The most rows of one call: a few batches of any store, and a few megabytes of memory at the most. */
    int MOST_ROWS = 1_000;

    /** Returns the outcomes that {@link #write} would have, in the order of the rows. Writes nothing. */
    List<ImportOutcome> preview(List<ImportedRow> rows);

    /** Writes the rows, and returns their outcomes, in their order. */
    List<ImportOutcome> write(List<ImportedRow> rows);

    /** Like {@link #write}, without blocking. */
    CompletionStage<List<ImportOutcome>> writeAsync(List<ImportedRow> rows);
}
