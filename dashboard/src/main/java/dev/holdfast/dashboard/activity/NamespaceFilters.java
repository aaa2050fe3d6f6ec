package dev.holdfast.dashboard.activity;

import dev.holdfast.LeaseFilter;
import dev.holdfast.server.security.NamespaceRange;
import dev.holdfast.server.security.ReadableNamespaces;
import java.util.List;

/** The filters that together list exactly the keys that a caller may read below a prefix of namespaces. */
public final class NamespaceFilters {
    private NamespaceFilters() {}

    /** In the order of namespaces; no key matches two of them. */
    public static List<LeaseFilter> of(ReadableNamespaces readable, String prefix) {
        return readable.within(prefix).stream().map(NamespaceFilters::filter).toList();
    }

    private static LeaseFilter filter(NamespaceRange range) {
        return range.open() ? LeaseFilter.namespacePrefix(range.text()) : LeaseFilter.names(range.text(), "");
    }
}
