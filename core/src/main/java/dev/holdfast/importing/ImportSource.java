package dev.holdfast.importing;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rows of another tool, read page by page. Nothing is written there.
 *
 * <p>Not thread-safe. Calls block, and fail with {@link dev.holdfast.StoreException}.
 */
public interface ImportSource extends AutoCloseable {
    /** The number of rows, for people; empty if counting them takes as long as reading them. */
    OptionalLong count();

    /**
     * The next rows.
     *
     * @return empty after the last page. A page may have no rows
     */
    Optional<List<SourceRow>> next();

    @Override
    void close();
}
