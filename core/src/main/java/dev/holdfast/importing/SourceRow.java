package dev.holdfast.importing;

import java.util.function.Supplier;

/** A row of another tool: one that can be imported, or one that cannot and the reason. */
public sealed interface SourceRow {
    /** It can be imported. */
    record ReadableRow(ImportedRow row) implements SourceRow {}

    /**
     * It cannot be imported.
     *
     * @param name by which people find it in the other tool
     */
    record UnreadableRow(String name, String reason) implements SourceRow {}

    /** What {@code read} makes of a row; if it refuses a value, the row cannot be imported. */
    static SourceRow of(String name, Supplier<ImportedRow> read) {
        try {
            return new ReadableRow(read.get());
        } catch (IllegalArgumentException e) {
            return new UnreadableRow(name, String.valueOf(e.getMessage()));
        }
    }
}
