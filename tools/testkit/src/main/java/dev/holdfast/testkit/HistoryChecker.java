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
 * A check of a {@link LeaseHistory} for broken promises. Two holders of one key must never consider their leases valid
 * at the same time. The fences of a key must strictly grow in the order of its grants.
 *
 * <p>A period of validity includes the moment it began but not the one it ended: one may begin as another ends. Without
 * an end in the history, a period never ends. Grants are ordered by their {@link Kind#GRANTED} events if the key has
 * any, else by the start of their periods. Events with the same time count in the order in which they were recorded.
 */
public final class HistoryChecker {
    private HistoryChecker() {}

    /**
     * A broken promise.
     *
     * @param events the events of the two grants involved, in order of time
     */
    public record Violation(Key key, String promise, List<Event> events) {
        /** The key and the broken promise, then the events, one line each. */
        @Override
        public String toString() {
            return Stream.concat(
                            Stream.of(key + ": " + promise), events.stream().map(event -> "  " + event.toLine()))
                    .collect(Collectors.joining("\n"));
        }
    }

    /** All violations, the ones with the fewest events first; empty if there are none. */
    public static List<Violation> check(LeaseHistory history) {
        Map<Key, List<Event>> byKey = new TreeMap<>();
        for (Event event : history.events()) {
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
        ValidityPeriod longest = null;
        for (ValidityPeriod period : ValidityPeriod.allOf(events)) {
            if (longest != null && period.startNanos() < longest.endNanos()) {
                violations.add(violation(
                        key, "two holders had a valid lease at once", events, longest.began(), period.began()));
            }
            if (longest == null || period.endNanos() > longest.endNanos()) {
                longest = period;
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

    private static Violation violation(Key key, String promise, List<Event> events, Event first, Event second) {
        List<Event> involved = events.stream()
                .filter(event -> event.fence() == first.fence() || event.fence() == second.fence())
                .toList();
        return new Violation(key, promise, involved);
    }

    /** The period in which one holder considered its lease valid, up to its end as far as it is recorded. */
    private record ValidityPeriod(Event began, long endNanos) {
        long startNanos() {
            return began.nanos();
        }

        static List<ValidityPeriod> allOf(List<Event> events) {
            List<ValidityPeriod> periods = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                if (events.get(i).kind() == Kind.BEGAN) {
                    periods.add(new ValidityPeriod(
                            events.get(i), end(events.get(i), events.subList(i + 1, events.size()))));
                }
            }
            return periods;
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
