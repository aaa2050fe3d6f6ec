package dev.holdfast.server.security;

import dev.holdfast.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The namespaces that a caller may read at one moment. Equal for callers that may read the same.
 *
 * @param ranges those that the caller has permission to read
 * @param leased those that it may lease: with a fleet among them, it may also read the anchors of that fleet
 */
public record ReadableNamespaces(List<NamespaceRange> ranges, List<NamespaceRange> leased) {
    private static final String FLEETS = "fleet/";

    public ReadableNamespaces {
        ranges = List.copyOf(ranges);
        leased = List.copyOf(leased);
    }

    public boolean includes(String namespace) {
        return matches(ranges, namespace) || isFleetAnchors(namespace);
    }

    /** Whether it includes every namespace. */
    public boolean isAll() {
        return ranges.stream().anyMatch(range -> range.includesAll(""));
    }

    /**
     * The ranges that begin with {@code prefix}, in their order. No namespace is in two of them. Anchors of fleets that the caller may
     * read only because it may lease in the fleet are not among them.
     */
    public List<NamespaceRange> within(String prefix) {
        List<NamespaceRange> within = new ArrayList<>();
        ranges.stream()
                .filter(range -> range.includesSome(prefix))
                .map(range -> range.within(prefix))
                .sorted(Comparator.comparing(NamespaceRange::text).thenComparing(range -> !range.open()))
                .filter(range -> within.stream().noneMatch(known -> covers(known, range)))
                .forEach(within::add);
        return within;
    }

    private static boolean covers(NamespaceRange known, NamespaceRange range) {
        return known.equals(range) || known.includesAll(range.text());
    }

    private boolean isFleetAnchors(String namespace) {
        return leased.stream()
                .filter(range -> range.text().startsWith(FLEETS) || (range.open() && FLEETS.startsWith(range.text())))
                .anyMatch(range -> isAnchorsOfFleetIn(range, namespace));
    }

    private static boolean isAnchorsOfFleetIn(NamespaceRange range, String namespace) {
        String start = Key.anchorsOf("");
        String before = start.substring(0, start.length() - 1);
        boolean isGroup =
                namespace.startsWith(before) && namespace.endsWith("/") && namespace.length() > before.length() + 1;
        String group = isGroup ? namespace.substring(before.length(), namespace.length() - 1) : "";
        return !group.isEmpty() && group.indexOf('/') < 0 && range.includes(FLEETS + group);
    }

    private static boolean matches(List<NamespaceRange> ranges, String namespace) {
        return ranges.stream().anyMatch(range -> range.includes(namespace));
    }
}
