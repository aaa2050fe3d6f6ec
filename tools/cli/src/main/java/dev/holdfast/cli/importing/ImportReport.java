package dev.holdfast.cli.importing;

import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.importing.ImportCounts;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportRun;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.importing.SourceRow.UnreadableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Report of an import: its progress, each row that was not imported with the reason, and the counts at the end. */
public final class ImportReport implements ImportRun.Observer, AutoCloseable {
    private final CommandConsole console;
    private final ImportedTool tool;
    private final boolean dryRun;
    private final ProgressLine line;
    private final long startNanos = System.nanoTime();
    private OptionalLong total = OptionalLong.empty();

    public ImportReport(CommandConsole console, ImportedTool tool, boolean dryRun) {
        this.console = console;
        this.tool = tool;
        this.dryRun = dryRun;
        this.line = new ProgressLine(console);
    }

    /** Whether to count the rows beforehand: only if the progress line is shown. */
    public boolean wantsTotal() {
        return line.isShown();
    }

    public void total(OptionalLong newTotal) {
        total = newTotal;
    }

    @Override
    public void unreadable(UnreadableRow row) {
        reject(row.name(), row.reason());
    }

    @Override
    public void conflicting(ImportedRow row) {
        boolean done = row.doneAt() != null;
        reject(
                row.key().toString(),
                "it is " + (done ? "done" : row.isHeld() ? "held" : "not done") + " in " + tool.word()
                        + ", but Holdfast has a different entry, which was kept; see: holdfast show");
    }

    private void reject(String name, String reason) {
        line.close();
        console.error("not imported: '" + name + "': " + reason);
    }

    @Override
    public void progressed(ImportCounts counts) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        line.show(number(counts.rows()) + (total.isPresent() ? " of " + number(total.getAsLong()) : "") + " rows, "
                + number(Math.round(counts.rows() / Math.max(seconds, 0.001))) + " rows/s");
    }

    /** Reports that the import was interrupted. */
    void interrupted(ImportCounts counts) {
        line.close();
        console.note(number(counts.rows()) + " rows were read; run the same command again to complete the import");
    }

    /** Prints the counts to stdout. */
    public void print(ImportCounts counts, boolean json) {
        line.close();
        if (json) {
            JsonWriter out = new JsonWriter().beginObject();
            out.field("source", tool.word()).field("dryRun", dryRun).field("rows", counts.rows());
            for (ImportOutcome outcome : ImportOutcome.values()) {
                out.field(outcome.name().toLowerCase(Locale.ROOT), counts.of(outcome));
            }
            out.field("unreadable", counts.unreadable());
            console.print(out.endObject());
        } else {
            console.print(text(counts));
        }
    }

    private String text(ImportCounts counts) {
        List<String> parts = new ArrayList<>();
        parts.add(number(counts.of(ImportOutcome.ADDED)) + (dryRun ? " to add" : " added"));
        parts.add(number(counts.of(ImportOutcome.UPDATED)) + (dryRun ? " to update" : " updated"));
        parts.add(number(counts.of(ImportOutcome.UNCHANGED)) + " unchanged");
        parts.add(number(counts.of(ImportOutcome.NEWER)) + " newer in Holdfast");
        parts.add(number(counts.of(ImportOutcome.EMPTY)) + " free and empty");
        parts.add(number(counts.of(ImportOutcome.CONFLICT) + counts.unreadable()) + " not imported");
        return number(counts.rows()) + " rows: " + String.join(", ", parts);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    @Override
    public void close() {
        line.close();
    }
}
