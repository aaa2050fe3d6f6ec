package dev.holdfast.importing;

import dev.holdfast.importing.SourceRow.ReadableRow;
import dev.holdfast.importing.SourceRow.UnreadableRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One pass over all rows of a source: reads a page, writes it, reads the next.
 *
 * <p>It keeps no notes. A pass that was killed is completed by another pass, which finds what the first one has written.
 */
public final class ImportRun {
    private final ImportSource source;
    private final Step step;
    private final Observer observer;
    private final Map<ImportOutcome, Long> outcomes = new EnumMap<>(ImportOutcome.class);
    private long unreadable;

    /** @param step {@link ImportTarget#write}, or {@link ImportTarget#preview} to find out what that would do */
    public ImportRun(ImportSource source, Step step, Observer observer) {
        this.source = source;
        this.step = step;
        this.observer = observer;
    }

    /** Goes through all rows. */
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

    /** What the pass has done so far, also if it failed. */
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
        List<ImportOutcome> became = readable.isEmpty() ? List.of() : step.apply(readable);
        for (int i = 0; i < became.size(); i++) {
            outcomes.merge(became.get(i), 1L, Long::sum);
            if (became.get(i) == ImportOutcome.CONFLICT) {
                observer.conflicting(readable.get(i));
            }
        }
    }

    /** What is done with some rows: at most {@link ImportTarget#MOST_ROWS} of them. */
    @FunctionalInterface
    public interface Step {
        /** What became of them, in their order. */
        List<ImportOutcome> apply(List<ImportedRow> rows);
    }

    /** Learns of the rows that are not carried over, and of how far the pass is. */
    public interface Observer {
        /** This row cannot be imported. */
        void unreadable(UnreadableRow row);

        /** Holdfast has an entry that contradicts this row, and keeps it. */
        void conflicting(ImportedRow row);

        /** Some more rows are finished. */
        void progressed(ImportCounts counts);
    }
}
