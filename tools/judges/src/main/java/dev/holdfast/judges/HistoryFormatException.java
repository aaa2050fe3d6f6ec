package dev.holdfast.judges;

import org.jspecify.annotations.Nullable;

/** A line of a history or witness that does not follow the format. */
public final class HistoryFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param line the number of the line, from 1 */
    public HistoryFormatException(int line, String problem, @Nullable Throwable cause) {
        super("line " + line + ": " + problem, cause);
    }
}
