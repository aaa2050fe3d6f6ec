package dev.holdfast.importing;

import java.util.function.Supplier;

/** A row of another tool: one that can be imported, or one that cannot and the reason. */
public sealed interface SourceRow {
    /** A row that can be imported. */
    record ReadableRow(ImportedRow row) implements SourceRow {}

    /**
     * A row that cannot be imported.
     *
     * @param name the name by which people find it in the other tool
     */
    record UnreadableRow(String name, String reason) implements SourceRow {}

    /** The row that {@code read} returns. If it rejects a value, the row cannot be imported. */
    static SourceRow of(String name, Supplier<ImportedRow> read) {
        try {
            return new ReadableRow(read.get());
        } catch (IllegalArgumentException e) {
            return new UnreadableRow(name, String.valueOf(e.getMessage()));
        }
    }
}
