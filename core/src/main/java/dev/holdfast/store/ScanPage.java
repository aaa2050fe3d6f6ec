package dev.holdfast.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan.
 *
 * @param cursor where the next page begins, in a form that only the store understands; null after the last page. A page
 *     may have a cursor and no entries.
 */
public record ScanPage(List<StoredEntry> entries, @Nullable String cursor) {
    public ScanPage {
        entries = List.copyOf(entries);
    }

    public Optional<String> next() {
        return Optional.ofNullable(cursor);
    }
}
