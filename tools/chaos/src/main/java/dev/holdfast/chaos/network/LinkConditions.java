package dev.holdfast.chaos.network;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

/** The active faults of a proxy, as its links see them. Several faults may be active at once. */
final class LinkConditions {
    /** With a limited bandwidth, bytes pass in so many slices a second. */
    private static final int SLICES_PER_SECOND = 20;

    private final List<ActiveFault> active = new CopyOnWriteArrayList<>();

    /** @param newestLink the number of the newest link when the fault struck */
    private record ActiveFault(LinkFault fault, long newestLink) {}

    void add(LinkFault fault, long newestLink) {
        active.add(new ActiveFault(fault, newestLink));
    }

    /** Removes this very fault: another one of equal values may be active for another reason. */
    void remove(LinkFault fault) {
        active.removeIf(one -> one.fault() == fault);
    }

    boolean holds(long link) {
        return active.stream()
                .anyMatch(one -> one.fault() instanceof LinkFault.AllHeld
                        || (one.fault() instanceof LinkFault.OlderHeld && link <= one.newestLink()));
    }

    boolean swallows(FlowDirection direction) {
        return active.stream()
                .anyMatch(one -> one.fault() instanceof LinkFault.Swallowed swallowed
                        && swallowed.directions().contains(direction));
    }

    boolean refuses() {
        return active.stream().anyMatch(one -> one.fault() instanceof LinkFault.Refused);
    }

    /** The time that the next chunk waits. */
    Duration delay() {
        Duration sum = Duration.ZERO;
        for (ActiveFault one : active) {
            if (one.fault() instanceof LinkFault.Delayed delayed) {
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
        for (ActiveFault one : active) {
            if (one.fault() instanceof LinkFault.Limited limited) {
                slice = Math.min(slice, Math.max(1, limited.bytesPerSecond() / SLICES_PER_SECOND));
            }
        }
        return slice;
    }

    /** The time that {@code bytes} take at the limited bandwidth. */
    Duration duration(int bytes) {
        Duration longest = Duration.ZERO;
        for (ActiveFault one : active) {
            if (one.fault() instanceof LinkFault.Limited limited) {
                Duration needed = Duration.ofNanos(bytes * 1_000_000_000L / limited.bytesPerSecond());
                longest = needed.compareTo(longest) > 0 ? needed : longest;
            }
        }
        return longest;
    }
}
