package dev.holdfast.chaos.client;

import dev.holdfast.Key;
import java.util.Random;

/** The keys of the workload. Each epoch has its own, so that the history of a key is short. */
public final class WorkloadKeys {
    private static final int LOCKS = 3;
    private static final int ONCE = 3;
    private static final int ANCHORED = 2;

    private WorkloadKeys() {}

    static Key lock(int epoch, Random random) {
        return Key.of("k" + random.nextInt(LOCKS) + "-e" + epoch);
    }

    /** The only lock whose holders are evicted, as the others must always exclude each other. */
    static Key evicted(int epoch) {
        return Key.of("k0-e" + epoch);
    }

    static Key once(int epoch, Random random) {
        return Key.of("once-" + random.nextInt(ONCE) + "-e" + epoch);
    }

    static Key anchored(int epoch, Random random) {
        return Key.of("anchored-" + random.nextInt(ANCHORED) + "-e" + epoch);
    }

    static Key any(int epoch, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> once(epoch, random);
            case 1 -> anchored(epoch, random);
            default -> lock(epoch, random);
        };
    }
}
