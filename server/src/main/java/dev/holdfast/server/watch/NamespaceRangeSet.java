package dev.holdfast.server.watch;

import dev.holdfast.server.security.NamespaceRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The union of namespace ranges. Ranges within another range are dropped, so no prefix in the set begins with another.
 * A namespace can then match only the greatest prefix that is not above it. Immutable.
 */
final class NamespaceRangeSet {
    static final NamespaceRangeSet EMPTY = new NamespaceRangeSet(List.of());

    private final TreeSet<String> prefixes = new TreeSet<>();
    private final Set<String> exact = new HashSet<>();

    NamespaceRangeSet(Collection<NamespaceRange> ranges) {
        ranges.stream()
                .filter(NamespaceRange::open)
                .map(NamespaceRange::text)
                .sorted() // A prefix sorts before all texts that begin with it.
                .filter(prefix -> !startsWithPrefix(prefix))
                .forEach(prefixes::add);
        ranges.stream()
                .filter(range -> !range.open() && !startsWithPrefix(range.text()))
                .forEach(range -> exact.add(range.text()));
    }

    /** The ranges of all these watches. */
    static NamespaceRangeSet of(Collection<StatusWatch> watches) {
        return new NamespaceRangeSet(watches.stream()
                .flatMap(watch -> watch.scope().ranges().stream())
                .toList());
    }

    boolean includes(String namespace) {
        return exact.contains(namespace) || startsWithPrefix(namespace);
    }

    private boolean startsWithPrefix(String text) {
        String floor = prefixes.floor(text);
        return floor != null && text.startsWith(floor);
    }

    Set<String> prefixes() {
        return prefixes;
    }

    Set<String> exact() {
        return exact;
    }

    /**
     * Prefixes that together cover this set. If there are more than {@code most}, neighbors are merged into their
     * common prefix, starting with the longest common prefixes.
     */
    List<String> scans(int most) {
        List<String> sorted = new ArrayList<>(prefixes);
        sorted.addAll(exact);
        sorted.sort(null);
        List<Integer> cuts = new ArrayList<>();
        for (int i = 1; i < sorted.size(); i++) {
            cuts.add(i);
        }
        cuts.sort(Comparator.comparingInt(i -> commonLength(sorted.get(i - 1), sorted.get(i))));
        List<Integer> ends = new ArrayList<>(cuts.subList(0, Math.min(cuts.size(), most - 1)));
        ends.add(sorted.size());
        ends.sort(null);
        List<NamespaceRange> merged = new ArrayList<>();
        int begin = 0;
        for (int end : sorted.isEmpty() ? List.<Integer>of() : ends) {
            String first = sorted.get(begin);
            merged.add(NamespaceRange.startingWith(first.substring(0, commonLength(first, sorted.get(end - 1)))));
            begin = end;
        }
        return List.copyOf(new NamespaceRangeSet(merged).prefixes);
    }

    private static int commonLength(String a, String b) {
        int most = Math.min(a.length(), b.length());
        int length = 0;
        while (length < most && a.charAt(length) == b.charAt(length)) {
            length++;
        }
        // A prefix must not end within a character.
        return length > 0 && Character.isHighSurrogate(a.charAt(length - 1)) ? length - 1 : length;
    }
}
