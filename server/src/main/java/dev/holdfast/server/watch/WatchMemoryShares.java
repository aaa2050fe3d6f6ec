package dev.holdfast.server.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * The choice of watches to end when the statuses of all watched keys need too much memory. The client with watches
 * covering the most bytes loses the wider half of its watches, until the rest fits. So narrow watches of other clients
 * go on.
 */
final class WatchMemoryShares {
    private final List<String> namespaces;
    /** The bytes of all namespaces before the one at the same index. */
    private final long[] bytesBefore;

    WatchMemoryShares(NavigableMap<String, Long> bytesByNamespace) {
        namespaces = List.copyOf(bytesByNamespace.keySet());
        bytesBefore = new long[namespaces.size() + 1];
        int index = 0;
        for (long bytes : bytesByNamespace.values()) {
            bytesBefore[index + 1] = bytesBefore[index] + bytes;
            index++;
        }
    }

    /**
     * The watches to end, so that the others need at most {@code mostBytes}.
     *
     * @param watchers all watches, the oldest first
     */
    List<StatusWatch> excess(Collection<StatusWatch> watchers, long mostBytes) {
        Map<String, List<StatusWatch>> byClient = new LinkedHashMap<>();
        watchers.forEach(
                statusWatch -> byClient.computeIfAbsent(statusWatch.scope().client(), any -> new ArrayList<>())
                        .add(statusWatch));
        List<StatusWatch> excess = new ArrayList<>();
        while (bytes(byClient.values().stream().flatMap(List::stream).toList()) > mostBytes) {
            List<StatusWatch> widest = byClient.values().stream()
                    .max(Comparator.comparingLong(this::bytes))
                    .orElseThrow();
            // Stable: of equals, the newest are last.
            widest.sort(Comparator.comparingLong(statusWatch -> bytes(List.of(statusWatch))));
            List<StatusWatch> ended = widest.subList(widest.size() / 2, widest.size());
            excess.addAll(ended);
            ended.clear();
        }
        return excess;
    }

    private long bytes(List<StatusWatch> watchers) {
        NamespaceRangeSet union = NamespaceRangeSet.of(watchers);
        long sum = 0;
        for (String prefix : union.prefixes()) {
            sum += bytesBefore[indexAfter(prefix)] - bytesBefore[index(prefix)];
        }
        for (String namespace : union.exact()) {
            int index = index(namespace);
            boolean isKnown = index < namespaces.size() && namespaces.get(index).equals(namespace);
            sum += isKnown ? bytesBefore[index + 1] - bytesBefore[index] : 0;
        }
        return sum;
    }

    /** The index of the first namespace that is not less than {@code text}. */
    private int index(String text) {
        int found = Collections.binarySearch(namespaces, text);
        return found < 0 ? -found - 1 : found;
    }

    /** The index of the first namespace after all that begin with {@code prefix}. */
    private int indexAfter(String prefix) {
        // No namespace counts as equal, so the result says where the first greater one is.
        return -1 - Collections.binarySearch(namespaces, prefix, (namespace, key) -> isUpTo(namespace, key) ? -1 : 1);
    }

    private static boolean isUpTo(String namespace, String prefix) {
        return namespace.compareTo(prefix) < 0 || namespace.startsWith(prefix);
    }
}
