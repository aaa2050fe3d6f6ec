package dev.holdfast.importing;

import dev.holdfast.importing.SourceRow.ReadableRow;
import dev.holdfast.importing.SourceRow.UnreadableRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One pass over all rows of a source: it reads a page, writes it, reads the next.
 *
 * <p>It stores no progress. A pass that was killed is completed by another pass, which finds the rows that the first
 * one has written.
 */
public final class ImportRun {
    private final ImportSource source;
    private final Step step;
    private final Observer observer;
    private final Map<ImportOutcome, Long> outcomes = new EnumMap<>(ImportOutcome.class);
    private long unreadable;

    /** @param step {@link ImportTarget#write}, or {@link ImportTarget#preview} for the outcomes without writing */
    public ImportRun(ImportSource source, Step step, Observer observer) {
        this.source = source;
        this.step = step;
        this.observer = observer;
    }

    /** Imports all rows. */
    public ImportCounts run() {
        for (Optional<List<SourceRow>> page = source.next(); page.isPresent(); page = source.next()) {
            List<SourceRow> rows = page.get();
            for (int i = 0; i < rows.size(); i += ImportTarget.MOST_ROWS) {
                importRows(rows.subList(i, Math.min(rows.size(), i + ImportTarget.MOST_ROWS)));
                observer.progressed(counts());
            }
        }
        return counts();
    }

    /** The counts of the pass so far, also if it failed. */
    public ImportCounts counts() {
        return new ImportCounts(outcomes, unreadable);
    }

    private void importRows(List<SourceRow> rows) {
        List<ImportedRow> readable = new ArrayList<>();
        for (SourceRow row : rows) {
            if (row instanceof ReadableRow good) {
                readable.add(good.row());
            } else if (row instanceof UnreadableRow bad) {
                unreadable++;
                observer.unreadable(bad);
            }
        }
        List<ImportOutcome> results = readable.isEmpty() ? List.of() : step.apply(readable);
        for (int i = 0; i < results.size(); i++) {
            outcomes.merge(results.get(i), 1L, Long::sum);
            if (results.get(i) == ImportOutcome.CONFLICT) {
                observer.conflicting(readable.get(i));
            }
        }
    }

    /** The processing of some rows: at most {@link ImportTarget#MOST_ROWS} of them. */
    @FunctionalInterface
    public interface Step {
        /** Returns the outcomes of the rows, in their order. */
        List<ImportOutcome> apply(List<ImportedRow> rows);
    }

    /** The receiver of rows that are not imported, and of the progress of the pass. */
    public interface Observer {
        /** This row cannot be imported. */
        void unreadable(UnreadableRow row);

        /** Holdfast has an entry that contradicts this row, and keeps it. */
        void conflicting(ImportedRow row);

        /** Some more rows are finished. */
        void progressed(ImportCounts counts);
    }
}
