package dev.holdfast.server.watch;

import dev.holdfast.server.security.NamespaceRange;
import java.util.List;
import java.util.function.Predicate;

/**
 * The keys that one watch may show: the part of its prefix that its caller may read.
 *
 * @param client the caller, for fair shares of memory
 * @param ranges the ranges that are scanned and kept for the watch; fixed when the watch begins
 * @param allowed whether the caller may still read a namespace; throws if the caller is no longer known at all
 * @param withTokens whether the watch shows tokens
 */
public record WatchScope(String client, List<NamespaceRange> ranges, Predicate<String> allowed, boolean withTokens) {
    public WatchScope {
        ranges = List.copyOf(ranges);
    }

    boolean includes(String namespace) {
        for (NamespaceRange range : ranges) {
            if (range.includes(namespace)) {
                return true;
            }
        }
        return false;
    }

    /** Throws if the caller is no longer known. */
    @SuppressWarnings("CheckReturnValue") // The result for this one namespace does not matter here.
    void requireKnownCaller() {
        if (!ranges.isEmpty()) {
            allowed.test(ranges.get(0).text());
        }
    }
}
