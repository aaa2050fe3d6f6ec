package dev.holdfast.dynamodb.layouts;

import dev.holdfast.store.HostEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Worker of a8m/lease in a fleet. It renews its leases every third of the expiry time. Every twice that time it reads
 * all leases and takes the expired ones, or else steals one from the owner with the most.
 */
final class A8mFleetWorker {
    private static final Duration EPSILON = Duration.ofMillis(25);

    private final String name;
    private final A8mWorker worker;
    private final HostEnvironment clock;
    private final List<String> keys;
    private final Random random;
    private final Duration renewEvery;
    private final Duration takeEvery;
    private final Map<String, A8mWorker.Lease> held = new TreeMap<>();
    private long renewNanos;
    private long takeNanos;

    A8mFleetWorker(ForeignTable table, String name, HostEnvironment clock, List<String> keys) {
        this(table, name, clock, keys, A8mWorker.EXPIRE_AFTER);
    }

    A8mFleetWorker(ForeignTable table, String name, HostEnvironment clock, List<String> keys, Duration expireAfter) {
        this.name = name;
        this.worker = new A8mWorker(table, name, clock, expireAfter);
        this.renewEvery = expireAfter.dividedBy(3).minus(EPSILON);
        this.takeEvery = expireAfter.plus(EPSILON).multipliedBy(2);
        this.clock = clock;
        this.keys = keys;
        this.random = new Random(name.hashCode());
        this.renewNanos = clock.nanos();
        this.takeNanos = renewNanos;
    }

    /** Does the work that is due. */
    void tick() {
        if (clock.nanos() - renewNanos >= 0) {
            renewNanos += renewEvery.toNanos();
            renew();
        }
        if (clock.nanos() - takeNanos >= 0) {
            takeNanos += takeEvery.toNanos();
            take();
        }
    }

    int load() {
        return held.size();
    }

    private void renew() {
        scan(); // It scans with every renewal.
        for (A8mWorker.Lease lease : List.copyOf(held.values())) {
            A8mWorker.Lease renewed = worker.renew(lease);
            if (renewed == null) {
                held.remove(lease.key());
            } else {
                held.put(lease.key(), renewed);
            }
        }
    }

    private List<A8mWorker.Lease> scan() {
        List<A8mWorker.Lease> seen = new ArrayList<>();
        for (String key : keys) {
            A8mWorker.Lease lease = worker.read(key);
            if (lease != null) {
                seen.add(lease);
            }
        }
        return seen;
    }

    private void take() {
        List<A8mWorker.Lease> free = new ArrayList<>();
        Map<String, List<A8mWorker.Lease>> byOwner = new HashMap<>();
        byOwner.put(name, new ArrayList<>());
        for (A8mWorker.Lease lease : scan()) {
            if (lease.isFree() || (worker.isExpired(lease) && !lease.owner().equals(name))) {
                free.add(lease);
            } else {
                byOwner.computeIfAbsent(lease.owner(), any -> new ArrayList<>()).add(lease);
            }
        }
        int target = (keys.size() + byOwner.size() - 1) / byOwner.size();
        int needed = target - held.size();
        Collections.shuffle(free, random);
        if (!free.isEmpty()) {
            free.stream().limit(Math.max(0, needed)).forEach(this::take);
        } else if (needed > 0) {
            byOwner.values().stream()
                    .max((one, other) -> Integer.compare(one.size(), other.size()))
                    .filter(richest -> richest.size() > target)
                    .ifPresent(richest -> take(richest.get(random.nextInt(richest.size()))));
        }
    }

    private void take(A8mWorker.Lease seen) {
        A8mWorker.Lease taken = worker.take(seen);
        if (taken != null) {
            held.put(taken.key(), taken);
        }
    }
}
