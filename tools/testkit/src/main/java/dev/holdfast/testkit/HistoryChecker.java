package dev.holdfast.testkit;

import dev.holdfast.Key;
import dev.holdfast.testkit.LeaseHistory.Event;
import dev.holdfast.testkit.LeaseHistory.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds, in a {@link LeaseHistory}, where two of Holdfast's promises were broken: that two holders of one key never believe
 * at the same time, and that the fences of a key strictly grow in the order of its grants.
 *
 * <p>A belief includes the moment it began and not the one it ended: one may begin as another ends. A holder that is not
 * heard of again goes on believing, as far as is known. The order of grants is that of the {@link Kind#GRANTED} events
 * where a key has any, else that in which beliefs began; events of one moment count in the order of recording.
 */
public final class HistoryChecker {
    private HistoryChecker() {}

    /**
     * A promise that was broken.
     *
     * @param events all that was recorded of the two grants involved, and nothing else, in order of time
     */
    public record Violation(Key key, String what, List<Event> events) {
        /** What was broken, and the events, one line each. */
        @Override
        public String toString() {
            return Stream.concat(Stream.of(key + ": " + what), events.stream().map(event -> "  " + event.toLine()))
                    .collect(Collectors.joining("\n"));
        }
    }

    /** Everything that is wrong, the shortest first; empty if all is well. */
    public static List<Violation> check(LeaseHistory leaseHistory) {
        Map<Key, List<Event>> byKey = new TreeMap<>();
        for (Event event : leaseHistory.events()) {
            byKey.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event);
        }
        List<Violation> violations = new ArrayList<>();
        byKey.forEach((key, events) -> {
            events.sort(Comparator.comparingLong(Event::nanos));
            findOverlaps(key, events, violations);
            findFencesThatDoNotGrow(key, events, violations);
        });
        violations.sort(Comparator.comparingInt(violation -> violation.events().size()));
        return violations;
    }

    private static void findOverlaps(Key key, List<Event> events, List<Violation> violations) {
        Belief longest = null;
        for (Belief belief : Belief.allOf(events)) {
            if (longest != null && belief.startNanos() < longest.endNanos()) {
                violations.add(violation(
                        key, "two holders believed at the same time", events, longest.began(), belief.began()));
            }
            if (longest == null || belief.endNanos() > longest.endNanos()) {
                longest = belief;
            }
        }
    }

    private static void findFencesThatDoNotGrow(Key key, List<Event> events, List<Violation> violations) {
        boolean granted = events.stream().anyMatch(event -> event.kind() == Kind.GRANTED);
        Kind order = granted ? Kind.GRANTED : Kind.BEGAN;
        @Nullable Event highest = null;
        for (Event event : events) {
            if (event.kind() != order) {
                continue;
            }
            if (highest != null && event.fence() <= highest.fence()) {
                violations.add(violation(key, "a later grant does not have a larger fence", events, highest, event));
            } else {
                highest = event;
            }
        }
    }

    private static Violation violation(Key key, String what, List<Event> events, Event first, Event second) {
        List<Event> involved = events.stream()
                .filter(event -> event.fence() == first.fence() || event.fence() == second.fence())
                .toList();
        return new Violation(key, what, involved);
    }

    /** One holder's belief, from its beginning to its end as far as it is known. */
    private record Belief(Event began, long endNanos) {
        long startNanos() {
            return began.nanos();
        }

        static List<Belief> allOf(List<Event> events) {
            List<Belief> beliefs = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                if (events.get(i).kind() == Kind.BEGAN) {
                    beliefs.add(new Belief(events.get(i), end(events.get(i), events.subList(i + 1, events.size()))));
                }
            }
            return beliefs;
        }

        private static long end(Event began, List<Event> later) {
            long endNanos = Long.MAX_VALUE;
            for (Event event : later) {
                if (event.fence() != began.fence() || event.nanos() >= endNanos) {
                    continue;
                }
                if (event.kind() == Kind.ENDED) {
                    return event.nanos();
                }
                if (event.kind() == Kind.EXTENDED) {
                    endNanos = event.untilNanos();
                }
            }
            return endNanos;
        }
    }
}
