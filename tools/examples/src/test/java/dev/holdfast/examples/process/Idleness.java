package dev.holdfast.examples.process;

import dev.holdfast.Key;
import dev.holdfast.testkit.LeaseHistory;
import dev.holdfast.testkit.LeaseHistory.Event;
import dev.holdfast.testkit.LeaseHistory.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measurement of how long units were idle between one worker and the next. */
final class Idleness {
    private final Map<String, Long> killedNanos;
    private final List<Gap> gaps = new ArrayList<>();
    private final Map<Key, Long> lastEnds = new HashMap<>();

    /**
     * A time without a worker.
     *
     * @param killed whether the previous worker was killed; otherwise it handed over the unit, or lost it
     */
    record Gap(Key unit, long fromNanos, Duration length, boolean killed) {}

    /** @param killedNanos the times at which workers were killed, by name */
    Idleness(LeaseHistory leaseHistory, Map<String, Long> killedNanos) {
        this.killedNanos = killedNanos;
        Map<Key, List<Event>> byKey = new HashMap<>();
        leaseHistory
                .events()
                .forEach(event -> byKey.computeIfAbsent(event.key(), key -> new ArrayList<>())
                        .add(event));
        byKey.forEach(this::measure);
    }

    private void measure(Key unit, List<Event> events) {
        Map<Long, Long> ends = new HashMap<>();
        events.sort(Comparator.comparingLong(Event::nanos));
        for (Event event : events) {
            if (event.kind() == Kind.ENDED) {
                ends.put(event.fence(), event.nanos());
            } else if (event.kind() == Kind.EXTENDED) {
                ends.put(event.fence(), event.untilNanos());
            }
        }
        Event before = null;
        for (Event event : events) {
            if (event.kind() == Kind.BEGAN) {
                if (before != null) {
                    add(unit, before, ends.getOrDefault(before.fence(), before.nanos()), event);
                }
                before = event;
            }
        }
        if (before != null) {
            lastEnds.put(unit, ends.getOrDefault(before.fence(), before.nanos()));
        }
    }

    private void add(Key unit, Event before, long noted, Event next) {
        // The last validity recorded by a killed worker lies after its death.
        long end = Math.min(noted, killedNanos.getOrDefault(before.holder(), Long.MAX_VALUE));
        boolean died = end < noted;
        gaps.add(new Gap(unit, end, Duration.ofNanos(next.nanos() - end), died));
    }

    Duration longest(boolean killed) {
        return gaps.stream()
                .filter(gap -> gap.killed() == killed)
                .map(Gap::length)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    Duration median(boolean killed) {
        List<Duration> lengths = gaps.stream()
                .filter(gap -> gap.killed() == killed)
                .map(Gap::length)
                .sorted()
                .toList();
        return lengths.isEmpty() ? Duration.ZERO : lengths.get(lengths.size() / 2);
    }

    long count(boolean killed) {
        return gaps.stream().filter(gap -> gap.killed() == killed).count();
    }

    /** The number of units that were held at this time or later. */
    long heldAt(long nanos) {
        return lastEnds.values().stream().filter(end -> end >= nanos).count();
    }
}
