package dev.holdfast.chaos.network;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** The active faults of a proxy, as its links see them. Several faults may be active at once. */
final class LinkConditions {
    /** With a limited bandwidth, bytes pass in so many slices a second. */
    private static final int SLICES_PER_SECOND = 20;

    /** Each fault with the number of the newest link when it struck. */
    private final Map<LinkFault, Long> active = new ConcurrentHashMap<>();

    void add(LinkFault fault, long newestLink) {
        active.put(fault, newestLink);
    }

    void remove(LinkFault fault) {
        active.remove(fault);
    }

    boolean holds(long link) {
        return active.entrySet().stream()
                .anyMatch(entry -> entry.getKey() instanceof LinkFault.AllHeld
                        || (entry.getKey() instanceof LinkFault.OlderHeld && link <= entry.getValue()));
    }

    boolean swallows(FlowDirection direction) {
        return active.keySet().stream()
                .anyMatch(fault -> fault instanceof LinkFault.Swallowed swallowed
                        && swallowed.directions().contains(direction));
    }

    boolean refuses() {
        return active.keySet().stream().anyMatch(LinkFault.Refused.class::isInstance);
    }

    /** The time that the next chunk waits. */
    Duration delay() {
        Duration sum = Duration.ZERO;
        for (LinkFault fault : active.keySet()) {
            if (fault instanceof LinkFault.Delayed delayed) {
                long jitter =
                        ThreadLocalRandom.current().nextLong(delayed.jitter().toNanos() + 1);
                sum = sum.plus(delayed.fixed()).plusNanos(jitter);
            }
        }
        return sum;
    }

    /** The largest number of bytes that may pass at once, at most {@code wanted}. */
    int slice(int wanted) {
        int slice = wanted;
        for (LinkFault fault : active.keySet()) {
            if (fault instanceof LinkFault.Limited limited) {
                slice = Math.min(slice, Math.max(1, limited.bytesPerSecond() / SLICES_PER_SECOND));
            }
        }
        return slice;
    }

    /** The time that {@code bytes} take at the limited bandwidth. */
    Duration duration(int bytes) {
        Duration longest = Duration.ZERO;
        for (LinkFault fault : active.keySet()) {
            if (fault instanceof LinkFault.Limited limited) {
                Duration needed = Duration.ofNanos(bytes * 1_000_000_000L / limited.bytesPerSecond());
                longest = needed.compareTo(longest) > 0 ? needed : longest;
            }
        }
        return longest;
    }
}
